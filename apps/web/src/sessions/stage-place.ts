import type { Session } from '@pdf2press/contract';
import { preferenceKey, readKey, writeKey } from '../preferences/preferences.ts';
import { versionsOf } from './step-files.ts';

/** Where the stage of a session lies in the window, CSS pixels. */
export interface StagePlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Kept {
  /** Its size, without which a place in it says nothing. */
  window: string;
  places: Record<string, StagePlace>;
}

const key = preferenceKey('stages');
const windowSize = () => `${window.innerWidth}×${window.innerHeight}`;

/** What moves the stage: a banner by the session's status, and the switch between versions. */
const situation = (session: Session) => `${session.status} ${versionsOf(session).length > 1}`;

function kept(): Kept {
  try {
    const value = JSON.parse(readKey(key) ?? '') as Kept;
    if (value.window === windowSize() && typeof value.places === 'object') return value;
  } catch {
    // Nothing is kept, or not by this release.
  }
  return { window: windowSize(), places: {} };
}

/** Where the stage lay when a session like this one was last seen in a window of this size. */
export const stagePlaceOf = (session: Session): StagePlace | undefined => kept().places[situation(session)];

/** Keeps the place for the next session like this one, on this device. */
export function keepStagePlace(session: Session, { x, y, width, height }: StagePlace): void {
  const before = kept();
  const place = { x, y, width, height };
  const text = JSON.stringify({ ...before, places: { ...before.places, [situation(session)]: place } });
  if (text !== readKey(key)) writeKey(key, text);
}
