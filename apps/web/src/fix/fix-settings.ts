import type { FixReason, SessionFinding } from '@pdf2press/contract';
import {
  type FixKey,
  type FixProfile,
  fixContracts,
  fixProfileSchema,
  inversions,
  orderedActions,
  type ProfileAction,
  profileActionSchema,
} from '@pdf2press/fix/contracts';
import type { FieldShape } from '@pdf2press/ui';
import { shapeOf } from '@pdf2press/ui';

export type FixSettings = Pick<FixProfile, 'actions' | 'order'>;

/** An empty profile. */
export const freshFixSettings = (): Record<string, unknown> => ({ ...fixProfileSchema.parse({}) });
/** Upgrades the actions of stored settings; unreadable settings are returned unchanged. */
export const fixSettingsOfToday = (stored: Record<string, unknown>): Record<string, unknown> => {
  const read = fixProfileSchema.safeParse(stored);
  return read.success ? { ...read.data } : stored;
};
export const freshAction = (key: FixKey): ProfileAction => profileActionSchema.parse({ key });

/** The action that a finding suggests, with the suggested settings; null for one that this release does not have. */
export function suggestedAction(hint: SessionFinding['fixableBy']): ProfileAction | null {
  if (!hint) return null;
  return profileActionSchema.safeParse({ key: hint.action, settings: hint.params }).data ?? null;
}

/**
 * Actions with one more. An action of the same kind is switched on and takes its settings; of a list, such as inks, the
 * entries of both.
 */
export function withAction(actions: readonly ProfileAction[], added: ProfileAction): ProfileAction[] {
  const at = actions.findIndex(({ key }) => key === added.key);
  const before = actions[at];
  if (!before) return [...actions, added];
  const had = before.settings as Record<string, unknown>;
  const settings = Object.fromEntries(
    Object.entries(added.settings).map(([name, value]) => {
      const old = had[name];
      return [name, Array.isArray(value) && Array.isArray(old) ? [...new Set([...old, ...value])] : value];
    }),
  );
  return actions.with(at, { ...before, enabled: true, settings: { ...had, ...settings } } as ProfileAction);
}

/** Position in the run order, from 1, by index in the list; disabled actions have none. */
export const runPlaces = (settings: FixSettings): ReadonlyMap<number, number> =>
  new Map(orderedActions(settings).map(({ index }, at) => [index, at + 1]));

export const orderProblems = (settings: FixSettings): FixReason[] => inversions(settings);

/** Above this a stretched page looks distorted. */
export const suggestedStretchPercent = 2;

const shapes = new Map<FixKey, FieldShape>();
/** The fields of an action's own settings. */
export function actionShape(key: FixKey): FieldShape {
  const shape = shapes.get(key) ?? shapeOf(fixContracts[key].settings);
  shapes.set(key, shape);
  return shape;
}
