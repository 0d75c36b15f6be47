import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormProblem } from './form-problems.tsx';
import { NoPasskeyError } from './passkey.ts';

/** Why a passkey was not made or not accepted: by the browser, or by the server. */
export function PasskeyFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof NoPasskeyError)) return <FormProblem error={error} />;
  return (
    <Alert role="alert" color="error" variant="light">
      {t('passkeys.failed')}
    </Alert>
  );
}
