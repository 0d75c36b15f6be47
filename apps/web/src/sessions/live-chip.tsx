import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLiveState } from '../client/live.ts';
import classes from './sessions.module.css';

/** Says that what is shown is changing before one's eyes (`isLive`), and always when news cannot come. */
export function LiveChip({ isLive }: { isLive: boolean }) {
  const { t } = useTranslation();
  const state = useLiveState((live) => live.state);
  if (state === 'off' || (state === 'live' && !isLive)) return null;
  return (
    <span className={classes.live} data-state={state} role="status">
      {state === 'live' ? <i aria-hidden /> : <IconPlugConnectedX size={14} aria-hidden />}
      {t(`live.${state}`)}
    </span>
  );
}
