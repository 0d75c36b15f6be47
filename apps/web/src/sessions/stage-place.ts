import type { Session } from '@pdf2press/contract';
import { preferenceKey, readKey, writeKey } from '../preferences/kept.ts';
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

function keptIn(text: string | null, size: string): Kept {
  try {
    const value = JSON.parse(text ?? '') as Kept;
    if (value.window === size && typeof value.places === 'object') return value;
  } catch {
    // Nothing is kept, or not by this release.
  }
  return { window: size, places: {} };
}

/** Where the stage lay when a session like this one was last seen in a window of this size, by what is kept of it. */
export const stagePlaceIn = (text: string | null, size: string, session: Session): StagePlace | undefined =>
  keptIn(text, size).places[situation(session)];

/** Keeps the place for the next session like this one, on this device; `early.js` reads it by the same name. */
export function keepStagePlace(session: Session, { x, y, width, height }: StagePlace): void {
  const before = keptIn(readKey(key), windowSize());
  const place = { x, y, width, height };
  const text = JSON.stringify({ ...before, places: { ...before.places, [situation(session)]: place } });
  if (text !== readKey(key)) writeKey(key, text);
}
