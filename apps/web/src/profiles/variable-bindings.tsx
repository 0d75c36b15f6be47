import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
import type { FieldShape } from '@pdf2press/ui';
import { IconTrash } from '@tabler/icons-react';
import { type FieldError, get, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { bindableSettings } from './bindable-settings.ts';
import type { ProfileValues } from './use-profile-form.ts';

/** A check, an action or a part of a form whose settings can be bound. */
export interface BindingOwner {
  /** Begins the paths of its settings; empty where they stand in the profile itself. */
  key: string;
  name: string;
  shape: FieldShape;
  label: (path: string) => string;
}

interface Props {
  form: UseFormReturn<ProfileValues>;
  owners: readonly BindingOwner[];
  isReadOnly: boolean;
}

const targetOf = (key: string, path: string): string => (key === '' ? path : `${key}.${path}`);

/** Which settings take their value from a workflow's variables: path of the setting → expression. */
export function VariableBindings({ form, owners, isReadOnly }: Props) {
  const { t } = useTranslation();
  const bindings = (form.watch('settings').variables ?? {}) as Record<string, string>;
  const change = (next: Record<string, string>) =>
    form.setValue('settings.variables' as never, next as never, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
  const groups = owners.map(({ key, name, shape, label }) => ({
    group: name,
    items: bindableSettings(shape).map((path) => ({ value: targetOf(key, path), label: labelOf(label, path) })),
  }));
  const names = new Map(
    groups.flatMap(({ group, items }) => items.map(({ value, label }) => [value, `${group}: ${label}`] as const)),
  );
  const nameOf = (target: string): string => names.get(target) ?? target;
  const free = groups
    .map(({ group, items }) => ({ group, items: items.filter(({ value }) => !Object.hasOwn(bindings, value)) }))
    .filter(({ items }) => items.length > 0);
  return (
    <Stack>
      {Object.entries(bindings).map(([target, expression]) => (
        <Group key={target} align="end" wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            label={nameOf(target)}
            placeholder={t('bindings.expression')}
            value={expression}
            disabled={isReadOnly}
            error={(get(form.formState.errors, `settings.variables.${target}`) as FieldError | undefined)?.message}
            onChange={(event) => change({ ...bindings, [target]: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="error"
            size="lg"
            disabled={isReadOnly}
            aria-label={t('bindings.remove', { name: nameOf(target) })}
            onClick={() => change(Object.fromEntries(Object.entries(bindings).filter(([other]) => other !== target)))}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      <Select
        label={t('bindings.add')}
        placeholder={t('bindings.setting')}
        searchable
        value={null}
        disabled={isReadOnly || free.length === 0}
        data={free}
        onChange={(target) => target && change({ ...bindings, [target]: '' })}
      />
    </Stack>
  );
}

/** `Colour images › Fail below`: a group and a setting of the same name are named once. */
const labelOf = (label: (path: string) => string, path: string): string =>
  path
    .split('.')
    .map((_, at, parts) => label(parts.slice(0, at + 1).join('.')))
    .filter((part, at, parts) => part !== parts[at - 1])
    .join(' › ');
