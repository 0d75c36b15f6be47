import { Modal, MultiSelect, PasswordInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { locales, type User, userRoutes } from '@pdf2press/contract';
import { roleRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { z } from 'zod';
import { passwordOf } from '../account/new-password-fields.tsx';
import { usePasswordPolicy } from '../account/password-rules.tsx';
import { SecretOnce } from '../account/secret-once.tsx';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { LocaleSelect } from '../frame/locale-select.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { fullName } from './users-screen.tsx';

const { body } = userRoutes.create;
type Given = z.output<typeof body>;

export function UserScreen() {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text, ['new', 'edit', 'view']);
  const isNew = action === 'new';
  const query = useCall(userRoutes.get, { params: { id: id ?? '' } }, { enabled: !isNew && id !== undefined });
  const title = isNew ? t('users.new') : query.data ? fullName(query.data) : t('nav.users');
  const isLost = action === null || (!isNew && id === undefined);
  return (
    <Screen
      title={title}
      back={{ to: '/user', label: t('nav.users') }}
      state={isLost ? { kind: 'notFound' } : isNew ? { kind: 'ready' } : stateOf(query)}
    >
      <UserForm user={isNew ? null : (query.data ?? null)} isReadOnly={action === 'view'} />
    </Screen>
  );
}

const initialOf = (user: User | null, roles: readonly { id: string; isDefault: boolean }[], language: string) => ({
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  userName: user?.userName ?? '',
  email: user?.email ?? '',
  phone: user?.phone ?? '',
  locale: user?.locale ?? (locales.find((locale) => locale === language) || 'en'),
  isActive: user?.isActive ?? true,
  roleIds: (user?.roles ?? roles.filter((role) => role.isDefault)).map((role) => role.id),
  password: '',
  sendActivationEmail: user === null,
});

function useSaveUser(user: User | null) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (given: Given): Promise<User & { activationLink?: string | null }> =>
      user
        ? call(userRoutes.update, { params: { id: user.id }, body: given })
        : call(userRoutes.create, { body: given }),
    onSuccess: async (saved) => {
      notify.success(t('common.saved'));
      await invalidate(userRoutes.list, userRoutes.get);
      // Nobody is sent the link: it is shown before the form is left.
      if (!saved.activationLink) void navigate('/user');
    },
  });
}

function UserForm({ user, isReadOnly }: { user: User | null; isReadOnly: boolean }) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const policy = usePasswordPolicy();
  const roles = useCall(roleRoutes.list, undefined, { enabled: may('roles.view') });
  const { register, control, handleSubmit, formState } = useSchemaForm(
    // Without a password the present one is kept, or the activation e-mail lets the user choose one.
    body.extend({ password: z.union([z.literal(''), passwordOf(policy)]).transform((text) => text || undefined) }),
    {
      values: initialOf(user, roles.data ?? [], i18n.language),
      mode: 'onTouched',
      resetOptions: { keepDirtyValues: true },
    },
  );
  const { errors } = formState;
  const save = useSaveUser(user);
  const navigate = useNavigate();
  const leave = () => void navigate('/user');
  const mayChange = may('users.manage') && !isReadOnly;
  return (
    <FormFrame
      back="/user"
      isDirty={formState.isDirty}
      isSaving={save.isPending}
      isDone={save.isSuccess}
      isReadOnly={!mayChange}
      error={save.error}
      errors={errors}
      onSubmit={() => void handleSubmit((given) => save.mutate(given))()}
    >
      <Modal
        opened={Boolean(save.data?.activationLink)}
        onClose={leave}
        title={t('users.activationLink', { name: save.data ? fullName(save.data) : '' })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <SecretOnce text={save.data?.activationLink ?? ''} note={t('users.activationLinkText')} onClose={leave} />
      </Modal>
      <SectionCard title={t('users.person')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('field.firstName')}
            withAsterisk
            error={errors.firstName?.message}
            {...register('firstName')}
          />
          <TextInput label={t('field.lastName')} {...register('lastName')} />
          <TextInput
            label={t('field.email')}
            type="email"
            withAsterisk
            error={errors.email?.message}
            {...register('email')}
          />
          <TextInput label={t('field.userName')} {...register('userName')} />
          <TextInput label={t('field.phone')} type="tel" {...register('phone')} />
          <Controller control={control} name="locale" render={({ field }) => <LocaleSelect {...field} />} />
        </SimpleGrid>
      </SectionCard>
      <SectionCard title={t('users.access')}>
        <Stack>
          <Controller
            control={control}
            name="roleIds"
            render={({ field: { value = [], ...field } }) => (
              <MultiSelect
                label={t('nav.roles')}
                data={(roles.data ?? user?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                disabled={!may('users.roles.assign')}
                value={value}
                {...field}
              />
            )}
          />
          <Controller
            control={control}
            name="isActive"
            render={({ field: { value, ...field } }) => (
              <Switch label={t('users.isActive')} checked={value} {...field} />
            )}
          />
          <PasswordInput
            label={t('field.newPassword')}
            description={t(user ? 'users.passwordKeep' : 'users.passwordNone')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
            error={errors.password?.message}
            maw={420}
            {...register('password')}
          />
          {!user && (
            <Controller
              control={control}
              name="sendActivationEmail"
              render={({ field: { value, ...field } }) => (
                <Switch label={t('users.sendActivation')} checked={value} {...field} />
              )}
            />
          )}
        </Stack>
      </SectionCard>
    </FormFrame>
  );
}
