import { Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { permissions as all, isWorkView, type Permission } from '@pdf2press/contract';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './permission-picker.module.css';
import { areaOf, nameKey } from './permission-words.ts';

interface Props {
  value: readonly Permission[];
  onChange: (value: readonly Permission[]) => void;
  /** Permissions that may be granted; others are disabled. Default: all. */
  offered?: readonly Permission[];
  /** Permissions that are shown. Default: all. */
  listed?: readonly Permission[];
  isReadOnly?: boolean;
  error?: string | undefined;
}

/** Lists up to this length need no search. */
const fewPermissions = 12;

const handsIn: readonly Permission[] = ['sessions.view', 'sessions.inject', 'sessions.files.download'];

/** What people are usually given, by the name in the messages. */
const permissionPresets: readonly { key: string; holds: (permission: Permission) => boolean }[] = [
  { key: 'submit', holds: (one) => handsIn.includes(one) },
  { key: 'look', holds: isWorkView },
  { key: 'operate', holds: (one) => isWorkView(one) || one.startsWith('sessions.') || one.startsWith('proofs.') },
  { key: 'all', holds: () => true },
];

/** Permissions by area, each area with a checkbox for all. They can be searched, and chosen by what people do. */
export function PermissionPicker({ value, onChange, offered = all, listed = all, isReadOnly = false, error }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const isFound = (permission: Permission) =>
    `${t(`permission.area.${areaOf(permission)}`)} ${t(nameKey(permission))}`
      .toLowerCase()
      .includes(search.trim().toLowerCase());
  const shown = listed.filter(isFound);
  const areas = [...new Set(shown.map(areaOf))];
  const held = new Set(value);
  const grantable = new Set(offered);
  const set = (changed: readonly Permission[], isOn: boolean) => {
    const next = new Set(value);
    for (const permission of changed) {
      if (isOn) next.add(permission);
      else next.delete(permission);
    }
    onChange(all.filter((permission) => next.has(permission)));
  };
  const presets = permissionPresets
    .map(({ key, holds }) => ({ key, own: listed.filter((one) => holds(one) && grantable.has(one)) }))
    .filter(({ own }) => own.length > 0);
  return (
    <Stack>
      {listed.length > fewPermissions && (
        <TextInput
          type="search"
          aria-label={t('roles.searchPermissions')}
          placeholder={t('roles.searchPermissions')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          maw={420}
        />
      )}
      {!isReadOnly && (
        <Group gap={6} role="group" aria-label={t('roles.presets')}>
          {presets.map(({ key, own }) => (
            <Button
              key={key}
              variant="default"
              size="compact-sm"
              onClick={() => onChange(all.filter((one) => own.includes(one)))}
            >
              {t(`roles.preset.${key}`)}
            </Button>
          ))}
        </Group>
      )}
      {shown.length === 0 && (
        <Text c="dimmed" role="status">
          {t('roles.searchNothing')}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" className={classes.areas}>
        {error && (
          <Text c="var(--p2p-error)" size="sm" role="alert" className={classes.error}>
            {error}
          </Text>
        )}
        {areas.map((area) => (
          <Area
            key={area}
            area={area}
            own={shown.filter((permission) => areaOf(permission) === area)}
            held={held}
            grantable={isReadOnly ? new Set() : grantable}
            onSet={set}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** The permissions of one area below a checkbox for all of them. */
function Area({
  area,
  own,
  held,
  grantable,
  onSet,
}: {
  area: string;
  own: readonly Permission[];
  held: ReadonlySet<Permission>;
  grantable: ReadonlySet<Permission>;
  onSet: (changed: readonly Permission[], isOn: boolean) => void;
}) {
  const { t } = useTranslation();
  const free = own.filter((permission) => grantable.has(permission));
  const count = own.filter((permission) => held.has(permission)).length;
  const name = t(`permission.area.${area}`);
  return (
    <fieldset className={classes.area}>
      <legend className="visually-hidden">{name}</legend>
      <Checkbox
        size="md"
        label={
          <Text fw={600}>
            {name}{' '}
            <Text span c="dimmed" fw={400} className="tabular">
              {count}/{own.length}
            </Text>
          </Text>
        }
        checked={count === own.length}
        indeterminate={count > 0 && count < own.length}
        disabled={free.length === 0}
        onChange={(event) => onSet(free, event.currentTarget.checked)}
      />
      <Stack gap={8} mt={8} ps={28}>
        {own.map((permission) => (
          <Checkbox
            key={permission}
            size="md"
            label={t(nameKey(permission))}
            checked={held.has(permission)}
            disabled={!grantable.has(permission)}
            onChange={(event) => onSet([permission], event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </fieldset>
  );
}
