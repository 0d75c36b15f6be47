import { Alert } from '@mantine/core';
import type { FeatureKey } from '@pdf2press/contract';
import { IconLock } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasFeature } from '../account/use-me.ts';

const Lacking = createContext(false);

/** Id of the notice that explains why nothing can be saved. */
export const planNoticeId = 'plan-notice';

/** Whether the feature of this part of the page is missing from the plan, which makes the part read-only. */
export const useLacksFeature = (): boolean => useContext(Lacking);

/** Content of a feature; without the feature in the plan a notice is shown and the forms inside are read-only. */
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
