import { Alert } from '@mantine/core';
import type { FeatureKey } from '@pdf2press/contract';
import { IconLock } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasFeature } from '../account/use-me.ts';

const Lacking = createContext(false);

/** The notice that tells why nothing can be saved. */
export const planNoticeId = 'plan-notice';

/** Whether the plan lacks the feature that this part of the page belongs to: shown, but not to be changed. */
export const useLacksFeature = (): boolean => useContext(Lacking);

/** What belongs to a feature. Where the plan lacks it, the notice stands above and the forms inside are read-only. */
export function InPlan({ feature, children }: { feature: FeatureKey | undefined; children: ReactNode }) {
  const { t } = useTranslation();
  const isLacking = !useHasFeature()(feature);
  return (
    <Lacking value={isLacking}>
      {isLacking && (
        <Alert id={planNoticeId} role="status" color="warning" variant="light" mb="md" icon={<IconLock size={20} />}>
          {t('access.featureNotInPlan')}
        </Alert>
      )}
      {children}
    </Lacking>
  );
}
