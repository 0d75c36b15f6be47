import { Stack, Switch, TextInput } from '@mantine/core';
import { type Role, roleRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { z } from 'zod';
import { useMay, useMe } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { type FormAction, readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { PermissionPicker } from './permission-picker.tsx';
import { RoleComparison } from './role-comparison.tsx';
import { RoleSight } from './role-sight.tsx';
import { useRoles } from './use-roles.ts';

const { body } = roleRoutes.create;

export function RoleScreen() {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text);
  const isNew = action === 'new';
  const query = useCall(roleRoutes.get, { params: { id: id ?? '' } }, { enabled: !isNew && id !== undefined });
  const role = (isNew ? null : query.data) ?? null;
  return (
    <Screen
      title={isNew ? t('roles.new') : (role?.name ?? t('nav.roles'))}
      back={{ to: '/role', label: t('nav.roles') }}
      state={isNew ? { kind: 'ready' } : action && id ? stateOf(query) : { kind: 'notFound' }}
    >
      {action && <RoleForm key={role?.id} role={role} action={action} />}
    </Screen>
  );
}

function RoleForm({ role, action }: { role: Role | null; action: FormAction }) {
  const { t } = useTranslation();
  const may = useMay();
  const me = useMe();
  const roles = useRoles() ?? [];
  const navigate = useNavigate();
  const name = role ? (action === 'copy' ? t('common.copyName', { name: role.name }) : role.name) : '';
  const { register, control, handleSubmit, formState, watch } = useSchemaForm(body, {
    mode: 'onTouched',
    defaultValues: {
      name,
      isDefault: action === 'edit' && (role?.isDefault ?? false),
      requiresSecondFactor: role?.requiresSecondFactor ?? false,
      permissions: role?.permissions ?? [],
    },
  });
  const save = useMutation({
    mutationFn: (given: z.output<typeof body>): Promise<Role> =>
      role && action === 'edit'
        ? call(roleRoutes.update, { params: { id: role.id }, body: given })
        : call(roleRoutes.create, { body: given }),
    onSuccess: async () => {
      notify.success(t('common.saved'));
      await invalidate(roleRoutes.list, roleRoutes.get);
      void navigate('/role');
    },
  });
  const held = watch('permissions');
  const isReadOnly = action === 'view' || !may('roles.manage');
  // What is part of the product keeps its name and permissions.
  const isFixed = action === 'edit' && role?.isStatic === true;
  return (
    <FormFrame
      back="/role"
      isDirty={formState.isDirty}
      isSaving={save.isPending}
      isDone={save.isSuccess}
      isReadOnly={isReadOnly}
      error={save.error}
      errors={formState.errors}
      onSubmit={() => void handleSubmit((given) => save.mutate(given))()}
      aside={
        <>
          <RoleSight permissions={held} />
          <RoleComparison
            name={watch('name')}
            permissions={held}
            others={roles.filter(({ id }) => action === 'copy' || id !== role?.id)}
          />
        </>
      }
    >
      <SectionCard title={t('roles.role')} {...(isFixed ? { text: t('roles.fixed') } : {})}>
        <Stack maw={480}>
          <TextInput
            label={t('field.name')}
            withAsterisk
            readOnly={isFixed}
            error={formState.errors.name?.message}
            {...register('name')}
          />
          <Controller
            control={control}
            name="isDefault"
            render={({ field: { value, ...field } }) => (
              <Switch label={t('roles.isDefault')} checked={value} {...field} />
            )}
          />
          <Controller
            control={control}
            name="requiresSecondFactor"
            render={({ field: { value = false, ...field } }) => (
              <Switch
                label={t('roles.requiresSecondFactor')}
                description={t('roles.requiresSecondFactorText')}
                checked={value}
                {...field}
              />
            )}
          />
        </Stack>
      </SectionCard>
      <SectionCard title={t('roles.permissions')} text={t('roles.permissionsText')}>
        <Controller
          control={control}
          name="permissions"
          render={({ field }) => (
            <PermissionPicker
              value={field.value}
              onChange={field.onChange}
              offered={me?.permissions ?? []}
              isReadOnly={isReadOnly || isFixed}
            />
          )}
        />
      </SectionCard>
    </FormFrame>
  );
}
