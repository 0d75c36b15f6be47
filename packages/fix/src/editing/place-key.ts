import type { Place, Run } from '@pdf2press/pdf';

const keys = new WeakMap<Run, string>();

/**
 * Identifies a run by the path of runs that leads to it; a form drawn twice has two keys. Stable while the file is
 * unchanged.
 */
export function runKey(run: Run): string {
  const known = keys.get(run);
  if (known !== undefined) return known;
  const above = run.parent ? runKey(run.parent) : `page${run.page}`;
  const key = `${above}/${run.kind === 'page' ? '' : `${run.kind}${run.object}${run.annotation ? `a${run.annotation.index}` : ''}@${run.via?.index ?? ''}`}`;
  keys.set(run, key);
  return key;
}

/** Identifies an operator by its run and its index in it. */
export const placeKey = (place: Place): string => `${runKey(place.run)}:${place.index}`;
