import type { Place, Run } from '@pdf2press/pdf';

const keys = new WeakMap<Run, string>();

/** A run by the way that leads to it: the same form drawn twice has two. Stable while the file is unchanged. */
export function runKey(run: Run): string {
  const known = keys.get(run);
  if (known !== undefined) return known;
  const above = run.parent ? runKey(run.parent) : `page${run.page}`;
  const key = `${above}/${run.kind === 'page' ? '' : `${run.kind}${run.object}${run.annotation ? `a${run.annotation.index}` : ''}@${run.via?.index ?? ''}`}`;
  keys.set(run, key);
  return key;
}

/** An operator by where it stands. */
export const placeKey = (place: Place): string => `${runKey(place.run)}:${place.index}`;
