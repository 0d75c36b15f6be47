import { Alert, Button, Group } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { IconArrowFork, IconBan, IconKey, IconTrash, IconXboxX } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ActionButton } from './action-button.tsx';
import { ask } from './answers.ts';
import classes from './session.module.css';
import { useSessionActions } from './session-actions.ts';
import { sessionPath } from './session-row.tsx';

/** Loaded for sessions on hold: its fields bring all of the forms with them. */
const HoldBar = lazy(async () => ({ default: (await import('./hold-bar.tsx')).HoldBar }));

/** The notice above a session: deleted, on hold, redirected, or failed and why. */
export function SessionBanner({ session }: { session: Session }) {
  const { t } = useTranslation();
  // Only what can be done: a banner explains nothing about permissions.
  const offers = useSessionActions(['replaceFile'] as const)([session]).filter(({ refusal }) => refusal === null);
  if (session.isDeleted) {
    return (
      <Alert color="neutral" variant="light" icon={<IconTrash size={20} />} role="status">
        {t('session.deleted')}
      </Alert>
    );
  }
  if (session.status === 'OnHold')
    return (
      <Suspense fallback={<div className={`card ${classes.holdComing}`} aria-hidden />}>
        <HoldBar session={session} />
      </Suspense>
    );
  if (session.redirectedTo) {
    const { id, workflowName } = session.redirectedTo;
    return (
      <Alert color="info" variant="light" icon={<IconArrowFork size={20} />} role="status">
        {t('session.redirectedTo')} <Link to={sessionPath(id)}>{workflowName}</Link>
      </Alert>
    );
  }
  const reason = session.status.startsWith('Canceled') && reasonOf(session);
  if (reason) {
    return (
      <Alert
        color="neutral"
        variant="light"
        icon={<IconBan size={20} />}
        role="status"
        title={t(`status.${session.status}`)}
      >
        {reason}
      </Alert>
    );
  }
  if (!session.failure) return null;
  return (
    <Alert color="error" variant="light" icon={<IconXboxX size={20} />} role="alert" title={session.failure.message}>
      <Group justify="space-between" gap="xs">
        <span>
          {t('session.failureCode')} <code>{session.failure.code}</code>
        </span>
        <Group gap="xs">
          {offers.map((offer) => (
            <ActionButton key={offer.action} offer={offer} size="xs" onAct={() => ask('replaceFile')} />
          ))}
          {offers.length > 0 && isLocked(session.failure) && (
            <Button size="xs" leftSection={<IconKey size={15} />} onClick={() => ask('unlock')}>
              {t('session.unlock')}…
            </Button>
          )}
        </Group>
      </Group>
    </Alert>
  );
}

/** Whether a password opens the file; other ways of protection, such as certificates, are not supported. */
const isLocked = ({ code, params }: NonNullable<Session['failure']>): boolean =>
  code === 'PDF_ENCRYPTED' && params.isSupported !== false;

/** The reason that a step gave for canceling the session. */
function reasonOf({ steps }: Session): string | null {
  const { summary } = steps.findLast(({ kind }) => kind === 'Cancel') ?? {};
  return summary && typeof summary.reason === 'string' ? summary.reason : null;
}
