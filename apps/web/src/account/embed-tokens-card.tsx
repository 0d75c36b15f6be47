import { Group, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import {
  embeddablePermissions,
  embedTokenDays,
  embedTokenRoutes,
  originSchema,
  type Permission,
} from '@pdf2press/contract';
import { IconWorldShare } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Controller, type FieldError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { type Place, titleOf, usePlaces } from '../frame/place.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatTime } from '../language/formats.ts';
import { PermissionPicker } from '../roles/permission-picker.tsx';
import { SecretOnce } from './secret-once.tsx';
import { SecretsCard } from './secrets-card.tsx';
import { useMe } from './use-me.ts';

const { body } = embedTokenRoutes.create;

/** The usual permission of an embedded page: viewing sessions. */
const usual: readonly Permission[] = ['sessions.view'];

export function EmbedTokensCard() {
  const { t } = useTranslation();
  const { data } = useCall(embedTokenRoutes.list);
  return (
    <SecretsCard
      of="embedTokens"
      routes={embedTokenRoutes}
      icon={IconWorldShare}
      secrets={data}
      aboutOf={({ origins, expiresAt }) => ({
        line: origins.join(', '),
        note: t('embedTokens.until', { when: formatTime(expiresAt) }),
      })}
      form={(onClose) => <NewEmbedToken onClose={onClose} />}
    />
  );
}

/** Places that can be embedded: without parameters in the address and with permissions that an embed token may carry. */
const isEmbeddable = ({ access, path, load }: Place): boolean =>
  load !== undefined &&
  !path.includes(':') &&
  typeof access !== 'string' &&
  access.every((one) => embeddablePermissions.some((permission) => permission === one));

/** The list of what is submitted through the token itself. */
const ownFiles = '/workflows/sessions?mine=true';

/** The iframe element to paste into the other website. */
const frameOf = (path: string, token: string, title: string): string => {
  const address = `${window.location.origin}${path}${path.includes('?') ? '&' : '?'}embed=true&token=${token}`;
  return `<iframe src="${address}" title="${title.replace(/[&"<]/g, (sign) => `&#${sign.charCodeAt(0)};`)}" referrerpolicy="no-referrer" style="inline-size: 100%; block-size: 640px; border: 0"></iframe>`;
};

/** The form: the token, and the page that the iframe opens. */
const asked = body.extend({
  page: z.string(),
  origins: z
    .array(
      z.string().refine((text) => originSchema.safeParse(text).success, {
        params: { code: 'embedTokens.siteInvalid' },
      }),
    )
    .min(1)
    .max(20),
});

/** The fault of the list, or of its first invalid entry. */
const sitesFault = (error: FieldError | readonly (FieldError | undefined)[] | undefined): string | undefined =>
  Array.isArray(error) ? error.find((one) => one !== undefined)?.message : (error as FieldError | undefined)?.message;

/** Normalizes to origins without duplicates; invalid entries stay as typed so that the form can report them. */
const sitesOf = (typed: readonly string[]): string[] => [
  ...new Set(typed.map((site) => originSchema.safeParse(site).data ?? site.trim())),
];

/** Creates a token and shows the iframe element once. */
function NewEmbedToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const held = useMe()?.permissions ?? [];
  const pages = usePlaces().filter(isEmbeddable);
  const { register, control, handleSubmit, formState, getValues } = useSchemaForm(asked, {
    defaultValues: {
      name: '',
      origins: [],
      page: '/workflows/sessions',
      days: embedTokenDays,
      permissions: usual.filter((one) => held.includes(one)),
    },
  });
  const { errors } = formState;
  const make = useMutation({
    mutationFn: (given: z.output<typeof body>) => call(embedTokenRoutes.create, { body: given }),
    onSuccess: () => invalidate(embedTokenRoutes.list),
  });
  if (make.data) {
    const { page, name } = getValues();
    return <SecretOnce text={frameOf(page, make.data.token, name)} note={t('embedTokens.once')} onClose={onClose} />;
  }
  return (
    <DialogForm
      onSubmit={handleSubmit(({ page: _, ...given }) => make.mutate(given))}
      onClose={onClose}
      act={t('embedTokens.make')}
      isUnderway={make.isPending}
      error={make.error}
    >
      <TextInput label={t('field.name')} data-autofocus error={errors.name?.message} {...register('name')} />
      <Controller
        control={control}
        name="origins"
        render={({ field, fieldState }) => (
          <TagsInput
            label={t('embedTokens.sites')}
            description={t('embedTokens.sitesText')}
            placeholder={field.value.length === 0 ? 'https://shop.example' : ''}
            {...field}
            onChange={(typed) => field.onChange(sitesOf(typed))}
            splitChars={[',', ' ', ';']}
            acceptValueOnBlur
            error={sitesFault(fieldState.error)}
          />
        )}
      />
      <Group grow align="start">
        <Controller
          control={control}
          name="page"
          render={({ field }) => (
            <Select
              label={t('embedTokens.page')}
              data={[
                ...pages.map((place) => ({ value: place.path, label: t(titleOf(place)) })),
                { value: ownFiles, label: t('embedTokens.mine') },
              ]}
              allowDeselect={false}
              {...field}
            />
          )}
        />
        <Controller
          control={control}
          name="days"
          render={({ field, fieldState }) => (
            <NumberInput
              label={t('embedTokens.days')}
              min={1}
              allowDecimal={false}
              {...field}
              error={fieldState.error?.message}
            />
          )}
        />
      </Group>
      <Controller
        control={control}
        name="permissions"
        render={({ field, fieldState }) => (
          <PermissionPicker
            value={field.value}
            onChange={field.onChange}
            offered={held}
            listed={embeddablePermissions}
            error={fieldState.error?.message}
          />
        )}
      />
    </DialogForm>
  );
}
