import type { FixReason } from '@pdf2press/contract';
import { fixContracts } from '../fixes/contracts.ts';
import type { FixProfile, ProfileAction } from './profile.ts';

export interface PlacedAction {
  /** Place in the profile's list. */
  index: number;
  action: ProfileAction;
}

/** The enabled actions in the order they run. Actions of equal place keep the order of the list. */
export function orderedActions(profile: Pick<FixProfile, 'actions' | 'order'>): PlacedAction[] {
  const placed = profile.actions.map((action, index) => ({ index, action })).filter(({ action }) => action.enabled);
  if (profile.order === 'AsListed') return placed;
  return placed.sort(
    (a, b) => fixContracts[a.action.key].order - fixContracts[b.action.key].order || a.index - b.index,
  );
}

/**
 * Neighbours that stand the wrong way round (fix specification §1.3), for the editor and the log: a later action undoes
 * or misses what the earlier one did.
 */
export function inversions(profile: Pick<FixProfile, 'actions' | 'order'>): FixReason[] {
  const run = orderedActions(profile);
  return run.slice(1).flatMap(({ action }, at) => {
    const before = run[at]?.action;
    if (!before || fixContracts[before.key].order <= fixContracts[action.key].order) return [];
    return [{ code: 'order.inverted', params: { first: before.key, second: action.key } }];
  });
}
