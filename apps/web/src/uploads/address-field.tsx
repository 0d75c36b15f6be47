import { Textarea } from '@mantine/core';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** Addresses of files that lie on the web, instead of files. */
export function AddressField({ field, error }: { field: UseFormRegisterReturn; error: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t('upload.addresses')}
      description={t('upload.addressesText')}
      placeholder="https://"
      inputMode="url"
      spellCheck={false}
      autosize
      minRows={1}
      maxRows={6}
      error={error}
      errorProps={{ style: { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } }}
      {...field}
    />
  );
}
