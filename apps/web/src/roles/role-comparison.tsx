import { NativeSelect, Stack, Text } from '@mantine/core';
import { permissions as all, type Permission, type Role } from '@pdf2press/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { areaOf, nameKey } from './permission-words.ts';
import classes from './role-sight.module.css';

/** What a role grants and another one does not, both ways, while the role is changed. */
export function RoleComparison({
  name,
  permissions,
  others,
}: {
  name: string;
  permissions: readonly Permission[];
  others: readonly Role[];
}) {
  const { t } = useTranslation();
  const [id, setId] = useState('');
  const other = others.find((role) => role.id === id);
  const without = (one: readonly Permission[], two: readonly Permission[]) =>
    all.filter((permission) => one.includes(permission) && !two.includes(permission));
  const differences = other
    ? [
        { key: 'own', title: name || t('roles.role'), held: without(permissions, other.permissions) },
        { key: 'other', title: other.name, held: without(other.permissions, permissions) },
      ].filter(({ held }) => held.length > 0)
    : [];
  return (
    <SectionCard title={t('roles.compare')}>
      <Stack>
        <NativeSelect
          label={t('roles.compareWith')}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          data={[{ value: '', label: '–' }, ...others.map((role) => ({ value: role.id, label: role.name }))]}
        />
        {/* The place is there from the start, so that what comes into it is read out. */}
        <div role="status" className={classes.differences}>
          {other && differences.length === 0 && <Text>{t('roles.same')}</Text>}
          {differences.map(({ key, title, held }) => (
            <div key={key}>
              <Text fw={600}>{t('roles.only', { name: title })}</Text>
              <ul>
                {[...new Set(held.map(areaOf))].map((area) => (
                  <li key={area}>
                    {t(`permission.area.${area}`)}
                    {': '}
                    <Text span c="dimmed">
                      {held
                        .filter((permission) => areaOf(permission) === area)
                        .map((permission) => t(nameKey(permission)))
                        .join(', ')}
                    </Text>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </Stack>
    </SectionCard>
  );
}
