import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { MadeForField, useLacksMadeFor } from '../organizations/made-for-field.tsx';
import type { useProfileForm } from './use-profile-form.ts';

/** Whom a profile is made for, as a field of its form. */
export function ProfileMadeFor({ form }: Pick<ReturnType<typeof useProfileForm>, 'form'>) {
  const { t } = useTranslation();
  const lacks = useLacksMadeFor();
  const { field, fieldState } = useController({
    name: 'organizationId',
    control: form.control,
    rules: { validate: (chosen) => !lacks(chosen) || t('organization.choose') },
  });
  const { organizationId: before } = form.formState.defaultValues ?? {};
  return (
    <MadeForField
      value={field.value}
      before={before}
      isReadOnly={field.disabled ?? false}
      error={fieldState.error?.message}
      onChange={field.onChange}
    />
  );
}
