import type { FixReason } from '@pdf2press/contract';
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
