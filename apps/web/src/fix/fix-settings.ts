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
} from '@pdf2press/prepress/contracts';
import type { FieldShape } from '@pdf2press/ui';
import { shapeOf } from '@pdf2press/ui';

export type FixSettings = Pick<FixProfile, 'actions' | 'order'>;

/** A profile with nothing in it yet. */
export const freshFixSettings = (): Record<string, unknown> => ({ ...fixProfileSchema.parse({}) });
/** Stored settings with their actions brought up to today's versions; as they are where they cannot be read. */
export const fixSettingsOfToday = (stored: Record<string, unknown>): Record<string, unknown> => {
  const read = fixProfileSchema.safeParse(stored);
  return read.success ? { ...read.data } : stored;
};
export const freshAction = (key: FixKey): ProfileAction => profileActionSchema.parse({ key });

/** Which action of the list runs when: its place from 1, by its place in the list; those switched off have none. */
export const runPlaces = (settings: FixSettings): ReadonlyMap<number, number> =>
  new Map(orderedActions(settings).map(({ index }, at) => [index, at + 1]));

export const orderProblems = (settings: FixSettings): FixReason[] => inversions(settings);

/** Distortion above this can be seen (design §4.7). */
export const suggestedStretchPercent = 2;

const shapes = new Map<FixKey, FieldShape>();
/** The fields of an action's own settings. */
export function actionShape(key: FixKey): FieldShape {
  const shape = shapes.get(key) ?? shapeOf(fixContracts[key].settings);
  shapes.set(key, shape);
  return shape;
}
