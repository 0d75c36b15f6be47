import { Group, Paper, Text } from '@mantine/core';
import type { BulkAction, Session } from '@pdf2press/contract';
import { IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../language/formats.ts';
import { ActionButton } from './action-button.tsx';
import { answers, ask, isAsking } from './answers.ts';
import classes from './session.module.css';
import { actOnSessions, useSessionActions } from './session-actions.ts';

/** Why and since when a session is on hold, and the possible answers. */
export function HoldBar({ session }: { session: Session }) {
  const { t } = useTranslation();
  const other = session.isStopped ? 'continue' : 'resume';
  const offers = useSessionActions(answers)([session]).filter(({ action }) => action !== other);
  const { hold } = session;
  return (
    <Paper className={`card ${classes.hold}`} component="section" aria-label={t('session.onHold')}>
      <IconHandStop size={20} aria-hidden />
      <div className={classes.holdText}>
        <Text fw={600}>{hold?.reason || t(session.isStopped ? 'session.stoppedBy' : 'session.heldBy')}</Text>
        {hold && (
          <Text size="sm" c="dimmed">
            {t('session.waiting')} <time dateTime={hold.since}>{formatTime(hold.since)}</time>
            {hold.dueAt && hold.onDue && ` · ${t(`session.due.${hold.onDue}`, { when: formatTime(hold.dueAt) })}`}
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.holdActions}>
        {offers.map((offer, at) => (
          <ActionButton
            key={offer.action}
            offer={offer}
            variant={at === 0 ? 'filled' : offer.action === 'cancel' ? 'light' : 'default'}
            onAct={(action) =>
              isAsking(action) ? ask(action) : void actOnSessions(t, action as BulkAction, [session])
            }
          />
        ))}
      </Group>
    </Paper>
  );
}
