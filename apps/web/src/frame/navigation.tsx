import { IconChevronDown, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useMatches } from 'react-router';
import { useHasFeature, useMe } from '../account/use-me.ts';
import classes from './frame.module.css';
import { Hint } from './hint.tsx';
import { LateMenu } from './late-menu.tsx';
import { entrancesOf, mayOpen, type NavItem, navGroups, type Place } from './place.ts';
import { places } from './places.ts';

export interface NavEntry extends NavItem {
  place: Place;
  isLit: boolean;
  isLocked: boolean;
}

const entrances = entrancesOf(places);

/** Entries that the visitor may open, in groups; one whose feature is not in the plan shows a lock. */
export function useNavigation(): { key: string; entries: NavEntry[] }[] {
  const me = useMe();
  const hasFeature = useHasFeature();
  const here = useMatches().at(-1)?.handle as Place | undefined;
  return navGroups
    .map((group) => ({
      key: group,
      entries: entrances.flatMap((place) =>
        place.nav?.group === group && mayOpen(place, me)
          ? [{ ...place.nav, place, isLit: here?.nav?.key === place.nav.key, isLocked: !hasFeature(place.feature) }]
          : [],
      ),
    }))
    .filter(({ entries }) => entries.length > 0);
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
        // Where they come from, for a page that is about another.
        state={{ from: location.pathname + location.search }}
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

/** The entries of the group `work` are links; every other group with more than one entry is a menu. */
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
