import type { FixReason } from '@pdf2press/contract';
import { fixContracts } from '../fixes/contracts.ts';
import type { FixProfile, ProfileAction } from './profile.ts';

export interface PlacedAction {
  /** Index in the profile's list. */
  index: number;
  action: ProfileAction;
}

/** The enabled actions in the order they run. Actions with equal positions keep the order of the list. */
export function orderedActions(profile: Pick<FixProfile, 'actions' | 'order'>): PlacedAction[] {
  const placed = profile.actions.map((action, index) => ({ index, action })).filter(({ action }) => action.enabled);
  if (profile.order === 'AsListed') return placed;
  return placed.sort(
    (a, b) => fixContracts[a.action.key].order - fixContracts[b.action.key].order || a.index - b.index,
  );
}

/**
 * Pairs of neighbouring actions that run against the engine order, where the later one may undo or miss what the
 * earlier one did. Reported by the editor and in the log as `order.inverted` with the keys `first` and `second`.
 */
export function inversions(profile: Pick<FixProfile, 'actions' | 'order'>): FixReason[] {
  const run = orderedActions(profile);
  return run.slice(1).flatMap(({ action }, at) => {
    const before = run[at]?.action;
    if (!before || fixContracts[before.key].order <= fixContracts[action.key].order) return [];
    return [{ code: 'order.inverted', params: { first: before.key, second: action.key } }];
  });
}
