import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLiveState } from '../client/live.ts';
import classes from './sessions.module.css';

/** Shows whether the list updates live. */
export function LiveChip() {
  const { t } = useTranslation();
  const state = useLiveState((live) => live.state);
  if (state === 'off') return null;
  return (
    <span className={classes.live} data-state={state} role="status">
      {state === 'live' ? <i aria-hidden /> : <IconPlugConnectedX size={14} aria-hidden />}
      {t(`live.${state}`)}
    </span>
  );
}
