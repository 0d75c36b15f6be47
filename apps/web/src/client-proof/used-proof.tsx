import { Text } from '@mantine/core';
import type { ClientProof } from '@pdf2press/contract';
import { IconCircleCheck, IconMessageX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './client-proof.module.css';
import { doneTold } from './decision.ts';
import { HouseHead } from './house-head.tsx';
import { Panel } from './panel.tsx';

/** What was decided through a link that was good for one decision. */
export function UsedProof({ proof }: { proof: Extract<ClientProof, { state: 'used' }> }) {
  const { t } = useTranslation();
  const { decided } = proof;
  const declined = decided.declinedPages;
  const text = [
    doneTold(decided, t),
    declined.length > 0 && t('clientProof.pagesDeclined', { count: declined.length, pages: declined.join(', ') }),
    t(`clientProof.then.${decided.decision}`),
  ];
  return (
    <div className={classes.proof}>
      <HouseHead house={proof.house} />
      <Panel
        icon={decided.decision === 'Approved' ? IconCircleCheck : IconMessageX}
        title={proof.fileName}
        text={text.filter(Boolean).join(' ')}
        house={proof.house.title}
      >
        <Text size="sm" c="dimmed">
          {t('clientProof.used')}
        </Text>
      </Panel>
    </div>
  );
}
