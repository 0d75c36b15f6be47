import { Checkbox, SimpleGrid, Stack, Text } from '@mantine/core';
import { permissions as all, type Permission } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import classes from './permission-picker.module.css';

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

const areaOf = (permission: Permission): string => permission.split('.')[0] ?? '';

/** Permissions by area, each area with a checkbox for all. */
export function PermissionPicker({ value, onChange, offered = all, listed = all, isReadOnly = false, error }: Props) {
  const { t } = useTranslation();
  const areas = [...new Set(listed.map(areaOf))];
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
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" className={classes.areas}>
      {error && (
        <Text c="error" size="sm" role="alert" className={classes.error}>
          {error}
        </Text>
      )}
      {areas.map((area) => {
        const own = listed.filter((permission) => areaOf(permission) === area);
        const free = own.filter((permission) => grantable.has(permission));
        const count = own.filter((permission) => held.has(permission)).length;
        const name = t(`permission.area.${area}`);
        return (
          <fieldset key={area} className={classes.area}>
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
              disabled={isReadOnly || free.length === 0}
              onChange={(event) => set(free, event.currentTarget.checked)}
            />
            <Stack gap={8} mt={8} ps={28}>
              {own.map((permission) => (
                <Checkbox
                  key={permission}
                  size="md"
                  label={t(`permission.${permission.slice(area.length + 1)}`)}
                  checked={held.has(permission)}
                  disabled={isReadOnly || !grantable.has(permission)}
                  onChange={(event) => set([permission], event.currentTarget.checked)}
                />
              ))}
            </Stack>
          </fieldset>
        );
      })}
    </SimpleGrid>
  );
}
