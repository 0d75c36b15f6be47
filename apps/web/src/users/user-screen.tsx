import { Modal, MultiSelect, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { locales, type User, userRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { z } from 'zod';
import { NewPasswordFields, withOptionalPassword } from '../account/new-password-fields.tsx';
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
import { formatAgo } from '../language/formats.ts';
import { useRoles } from '../roles/use-roles.ts';
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
  passwordConfirmation: '',
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

function useUserForm(values: ReturnType<typeof initialOf>) {
  const policy = usePasswordPolicy();
  // Without a password the present one is kept, or the activation e-mail lets the user choose one.
  return useSchemaForm(withOptionalPassword(body, policy), {
    values,
    mode: 'onTouched',
    resetOptions: { keepDirtyValues: true },
  });
}

function UserForm({ user, isReadOnly }: { user: User | null; isReadOnly: boolean }) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const roles = useRoles();
  const form = useUserForm(initialOf(user, roles ?? [], i18n.language));
  const { formState } = form;
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
      errors={formState.errors}
      onSubmit={() => void form.handleSubmit((given) => save.mutate(given))()}
    >
      <Modal
        opened={Boolean(save.data?.activationLink)}
        onClose={leave}
        title={t('users.activationLink', { name: save.data ? fullName(save.data) : '' })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <SecretOnce text={save.data?.activationLink ?? ''} note={t('users.activationLinkText')} onClose={leave} />
      </Modal>
      <PersonCard form={form} />
      <AccessCard form={form} roles={roles ?? user?.roles ?? []} user={user} />
    </FormFrame>
  );
}

type UserFields = ReturnType<typeof useUserForm>;

/** Who it is. */
function PersonCard({ form }: { form: UserFields }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t('users.person')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('field.firstName')}
          withAsterisk
          error={form.formState.errors.firstName?.message}
          {...form.register('firstName')}
        />
        <TextInput label={t('field.lastName')} {...form.register('lastName')} />
        <TextInput
          label={t('field.email')}
          type="email"
          withAsterisk
          error={form.formState.errors.email?.message}
          {...form.register('email')}
        />
        <TextInput label={t('field.userName')} {...form.register('userName')} />
        <TextInput label={t('field.phone')} type="tel" {...form.register('phone')} />
        <Controller control={form.control} name="locale" render={({ field }) => <LocaleSelect {...field} />} />
      </SimpleGrid>
    </SectionCard>
  );
}

/** What they may do, and how they sign in. */
function AccessCard({
  form,
  roles,
  user,
}: {
  form: UserFields;
  roles: readonly { id: string; name: string }[];
  /** Null = a new one. */
  user: User | null;
}) {
  const { t } = useTranslation();
  const may = useMay();
  const policy = usePasswordPolicy();
  return (
    <SectionCard title={t('users.access')}>
      <Stack>
        {user && (
          <Text size="sm" c="dimmed">
            {user.lastSeenAt ? t('users.seen', { when: formatAgo(user.lastSeenAt) }) : t('users.neverSeen')}
          </Text>
        )}
        <Controller
          control={form.control}
          name="roleIds"
          render={({ field: { value = [], ...field } }) => (
            <MultiSelect
              label={t('nav.roles')}
              data={roles.map(({ id, name }) => ({ value: id, label: name }))}
              disabled={!may('users.roles.assign')}
              value={value}
              {...field}
            />
          )}
        />
        <Controller
          control={form.control}
          name="isActive"
          render={({ field: { value, ...field } }) => <Switch label={t('users.isActive')} checked={value} {...field} />}
        />
        <Stack maw={420}>
          <NewPasswordFields
            form={form}
            policy={policy}
            emptyText={t(user ? 'users.passwordKeep' : 'users.passwordNone')}
          />
        </Stack>
        {!user && (
          <Controller
            control={form.control}
            name="sendActivationEmail"
            render={({ field: { value, ...field } }) => (
              <Switch label={t('users.sendActivation')} checked={value} {...field} />
            )}
          />
        )}
      </Stack>
    </SectionCard>
  );
}
