import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CallError, failureText } from '../client/call-error.ts';

/** The server's error, shown above a form. */
export function FormProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!error || (error instanceof CallError && error.kind === 'signedOut')) return null;
  return (
    <Alert role="alert" color="error" variant="light" icon={<IconAlertCircle size={20} />}>
      {failureText(error, t)}
    </Alert>
  );
}
