import type { Appearance } from '@pdf2press/contract';
import { useEffect } from 'react';
import { useMe } from '../account/use-me.ts';
import { preferenceKey, readKey, writeKey } from './kept.ts';
import { defaultPreferences, type Preferences, setPreferences, usePreferences } from './preferences.ts';

const houseKey = preferenceKey('house');
/** The house's look, as this tab shows it and this browser keeps it. */
let shown = readKey(houseKey);

/** What holds where the visitor chooses nothing: the house's look, and the defaults. */
export const basePreferences = (): Preferences => ({
  ...defaultPreferences,
  ...(JSON.parse(shown ?? '{}') as Partial<Preferences>),
});

/** Keeps the house's look and shows it in all that the visitor has not chosen otherwise in this browser. */
export function adoptHouseLook(look: Appearance): void {
  const base = basePreferences();
  const now = usePreferences.getState();
  const adopted = Object.entries(look).filter(([name, value]) => {
    const key = name as keyof Appearance;
    return now[key] === base[key] && now[key] !== value;
  });
  shown = JSON.stringify(look);
  writeKey(houseKey, shown);
  // Colours are checked by the contract. Where nothing is adopted nothing is stored: what another tab has chosen stays.
  if (adopted.length > 0) setPreferences(Object.fromEntries(adopted) as Partial<Preferences>);
}

/** The frame looks as the house of the person who is signed in wants it. */
export function useHouseLook(): void {
  const look = useMe()?.appearance;
  useEffect(() => {
    if (look) adoptHouseLook(look);
  }, [look]);
}
