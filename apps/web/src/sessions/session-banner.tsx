import { Alert } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { IconArrowFork, IconTrash, IconXboxX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { HoldBar } from './hold-bar.tsx';
import { sessionPath } from './session-row.tsx';

/** The notice above a session: deleted, on hold, redirected, or failed and why. */
export function SessionBanner({ session }: { session: Session }) {
  const { t } = useTranslation();
  if (session.isDeleted) {
    return (
      <Alert color="neutral" variant="light" icon={<IconTrash size={20} />} role="status">
        {t('session.deleted')}
      </Alert>
    );
  }
  if (session.status === 'OnHold') return <HoldBar session={session} />;
  if (session.redirectedTo) {
    const { id, workflowName } = session.redirectedTo;
    return (
      <Alert color="info" variant="light" icon={<IconArrowFork size={20} />} role="status">
        {t('session.redirectedTo')} <Link to={sessionPath(id)}>{workflowName}</Link>
      </Alert>
    );
  }
  if (!session.failure) return null;
  return (
    <Alert color="error" variant="light" icon={<IconXboxX size={20} />} role="alert" title={session.failure.message}>
      {t('session.failureCode')} <code>{session.failure.code}</code>
    </Alert>
  );
}
