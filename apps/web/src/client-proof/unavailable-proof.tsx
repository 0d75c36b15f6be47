import type { ClientProof } from '@pdf2press/contract';
import { IconClockOff, IconFileStack, IconMailOff, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Icon } from '../frame/place.ts';
import classes from './client-proof.module.css';
import { HouseHead } from './house-head.tsx';
import { Panel } from './panel.tsx';

type UnavailableProof = Extract<ClientProof, { sentence: string }>;

const icons: Record<UnavailableProof['state'], Icon> = {
  expired: IconClockOff,
  superseded: IconFileStack,
  closed: IconMailOff,
  deleted: IconTrash,
};

/** A proof that is not to be seen any more, and why. */
export function Unavailable({ proof, isSent }: { proof: UnavailableProof; isSent: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={classes.proof}>
      <HouseHead house={proof.house} />
      <Panel
        icon={icons[proof.state]}
        title={t(`clientProof.${proof.state}`)}
        text={isSent && proof.state === 'superseded' ? t('clientProof.sent') : proof.sentence}
        house={proof.house.title}
      />
    </div>
  );
}
