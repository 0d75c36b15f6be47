import {
  IconBell,
  IconBuilding,
  IconChecklist,
  IconChevronDown,
  IconCloud,
  IconFileDescription,
  IconForms,
  IconHistory,
  IconHome2,
  IconLayoutGrid,
  IconLock,
  IconMail,
  IconMessage,
  IconSettings,
  IconShieldLock,
  IconSitemap,
  IconTool,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useMatches } from 'react-router';
import { useHasFeature, useMe } from '../account/use-me.ts';
import classes from './frame.module.css';
import { Hint } from './hint.tsx';
import { LateMenu } from './late-menu.tsx';
import { mayOpen, type NavKey, type Place, places } from './places.ts';

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean; className?: string | undefined }>;

/** The order and the groups of the navigation (specification §2). What has no screen yet is left out by itself. */
const groups: readonly {
  key: 'work' | 'profiles' | 'people' | 'system';
  entries: readonly (readonly [NavKey, Icon])[];
}[] = [
  {
    key: 'work',
    entries: [
      ['dashboard', IconHome2],
      ['sessions', IconFileDescription],
      ['workflows', IconSitemap],
    ],
  },
  {
    key: 'profiles',
    entries: [
      ['preflight', IconChecklist],
      ['fix', IconTool],
      ['impose', IconLayoutGrid],
      ['proofing', IconUserCheck],
      ['email', IconMail],
      ['communication', IconMessage],
      ['retention', IconHistory],
      ['cloudStorage', IconCloud],
      ['renaming', IconForms],
    ],
  },
  {
    key: 'people',
    entries: [
      ['organizations', IconBuilding],
      ['users', IconUsers],
      ['roles', IconShieldLock],
    ],
  },
  {
    key: 'system',
    entries: [
      ['settings', IconSettings],
      ['notifications', IconBell],
    ],
  },
];

export interface NavEntry {
  key: NavKey;
  icon: Icon;
  place: Place;
  isLit: boolean;
  isLocked: boolean;
}

/** What the visitor may open, in groups; an area that their plan lacks stays with a lock. */
export function useNavigation(): { key: string; entries: NavEntry[] }[] {
  const me = useMe();
  const hasFeature = useHasFeature();
  const here = useMatches().at(-1)?.handle as Place | undefined;
  return groups
    .map((group) => ({
      key: group.key,
      entries: group.entries.flatMap(([key, icon]) => {
        const place = places.find((candidate) => candidate.nav === key);
        if (!place?.load || !mayOpen(place, me?.permissions ?? [])) return [];
        return [{ key, icon, place, isLit: here?.nav === key, isLocked: !hasFeature(place.feature) }];
      }),
    }))
    .filter((group) => group.entries.length > 0);
}

function Entry({
  entry,
  isCollapsed = false,
  onOpen,
}: {
  entry: NavEntry;
  isCollapsed?: boolean;
  onOpen?: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const label = t(`nav.${entry.key}`);
  const Icon = entry.icon;
  return (
    <Hint label={label} position="right" isOff={!isCollapsed}>
      <Link
        to={entry.place.path}
        className={classes.entry}
        aria-current={entry.isLit ? 'page' : undefined}
        aria-label={isCollapsed ? label : undefined}
        onClick={onOpen}
      >
        <Icon size={20} stroke={1.7} aria-hidden />
        {!isCollapsed && label}
        {entry.isLocked && !isCollapsed && (
          <IconLock size={14} className={classes.entryLock} aria-label={t('state.notInPlan')} />
        )}
      </Link>
    </Hint>
  );
}

export function VerticalEntries({ isCollapsed = false, onOpen }: { isCollapsed?: boolean; onOpen?: () => void }) {
  const { t } = useTranslation();
  return useNavigation().map((group) => (
    <div key={group.key} className={classes.group}>
      <div className={classes.groupTitle} aria-hidden={isCollapsed}>
        {t(`nav.group.${group.key}`)}
      </div>
      {group.entries.map((entry) => (
        <Entry key={entry.key} entry={entry} isCollapsed={isCollapsed} onOpen={onOpen} />
      ))}
    </div>
  ));
}

/** Work lies open; each other group is a menu of its own, unless it has one entry only. */
export function HorizontalEntries() {
  const { t } = useTranslation();
  return useNavigation().map(({ key, entries }) =>
    key === 'work' || entries.length === 1 ? (
      entries.map((entry) => <Entry key={entry.key} entry={entry} />)
    ) : (
      <LateMenu
        key={key}
        isOfBar
        button={(opener) => (
          <button
            {...opener}
            type="button"
            className={classes.entry}
            data-lit={entries.some(({ isLit }) => isLit) || undefined}
          >
            {t(`nav.group.${key}`)}
            <IconChevronDown size={16} aria-hidden />
          </button>
        )}
        entries={() =>
          entries.map((entry) => ({
            label: t(`nav.${entry.key}`),
            icon: entry.icon,
            to: entry.place.path,
            isLit: entry.isLit,
            ...(entry.isLocked ? { end: <IconLock size={14} aria-label={t('state.notInPlan')} /> } : {}),
          }))
        }
      />
    ),
  );
}
