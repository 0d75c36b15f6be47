import type { FindingState } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import classes from './finding-mark.module.css';

/** What became of findings since they were looked for before; nothing where that is the first time. */
export function FindingMark({ state }: { state: FindingState | null }) {
  const { t } = useTranslation();
  return (
    state && (
      <span className={classes.mark} data-state={state}>
        {t(`findings.state.${state}`)}
      </span>
    )
  );
}
