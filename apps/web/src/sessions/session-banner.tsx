import { Alert } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { IconTrash, IconXboxX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** What must be known before anything else: deleted, or why it failed. */
export function SessionBanner({ session }: { session: Session }) {
  const { t } = useTranslation();
  if (session.isDeleted) {
    return (
      <Alert color="neutral" variant="light" icon={<IconTrash size={20} />} role="status">
        {t('session.deleted')}
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
