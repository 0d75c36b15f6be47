import { Text } from '@mantine/core';
import { hostPermissions, type Permission } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { entrancesOf, mayOpen, navGroups, type Place, usePlaces } from '../frame/place.ts';
import { SectionCard } from '../frame/section-card.tsx';
import classes from './role-sight.module.css';

const ofHost: ReadonlySet<string> = new Set(hostPermissions);
/** Pages that only the administrators of the installation open, whatever their roles are. */
const isOfHost = ({ access }: Place): boolean => typeof access !== 'string' && access.every((held) => ofHost.has(held));

/** The navigation as people with these permissions, and no other role, see it; and what it keeps from them. */
export function RoleSight({ permissions }: { permissions: readonly Permission[] }) {
  const { t } = useTranslation();
  const entrances = entrancesOf(usePlaces()).filter((place) => !isOfHost(place));
  const held = { permissions: [...permissions], hostPermissions: [] };
  const hidden = entrances.filter((place) => !mayOpen(place, held));
  const nameOf = ({ nav }: Place) => t(`nav.${nav?.key}`);
  return (
    <SectionCard title={t('roles.sees')} text={t('roles.seesText')}>
      <div className={classes.groups}>
        {navGroups.map((group) => {
          const shown = entrances.filter((place) => place.nav?.group === group && mayOpen(place, held));
          if (shown.length === 0) return null;
          const title = t(`nav.group.${group}`);
          return (
            <div key={group}>
              <Text size="sm" c="dimmed" fw={600}>
                {title}
              </Text>
              <ul className={classes.entries} aria-label={title}>
                {shown.map((place) => {
                  const Icon = place.nav?.icon;
                  return (
                    <li key={place.name}>
                      {Icon && <Icon size={18} stroke={1.7} aria-hidden />}
                      {nameOf(place)}
                    </li>
                  );
                })}
              </ul>
            </div>
          );
        })}
      </div>
      {hidden.length > 0 && (
        <Text size="sm" c="dimmed" mt="md">
          {t('roles.seesNot', { names: hidden.map(nameOf).join(', ') })}
        </Text>
      )}
    </SectionCard>
  );
}
