/**
 * The fields that settings of checks are made of. Each carries what a generated form needs to know: the kind of unit
 * (lengths are stored in points and edited in the reader's unit), its range and its group. Labels and helps are in the
 * message files under `settings.<path>.label|help`.
 */
import { toPoints } from '@pdf2press/contract';
import { z } from 'zod';
import type { AppliesWhen } from './applies-when.ts';

export const fieldUnits = ['length', 'points', 'ppi', 'percent', 'bytes', 'count', 'area', 'ratio', 'dpi'] as const;
export type FieldUnit = (typeof fieldUnits)[number];

interface Range {
  min?: number;
  max: number;
}

/** Millimetres as points: defaults are written in the unit in which the trade thinks of them. */
export const mm = (value: number): number => toPoints(value, 'Millimeters');

const numberField = (unit: FieldUnit) => (initial: number, range: Range) =>
  z
    .number()
    .min(range.min ?? 0)
    .max(range.max)
    .default(initial)
    .meta({ unit });

const optionalField = (unit: FieldUnit) => (initial: number | null, range: Range) =>
  z
    .number()
    .min(range.min ?? 0)
    .max(range.max)
    .nullable()
    .default(initial)
    .meta({ unit });

export const lengthField = numberField('length');
export const percentField = numberField('percent');
export const ratioField = numberField('ratio');
export const areaField = numberField('area');
export const bytesField = numberField('bytes');
export const dpiField = (initial: number, min = 18) =>
  z.number().int().min(min).max(600).default(initial).meta({ unit: 'dpi' });
export const countField = (initial: number, range: Range) =>
  z
    .number()
    .int()
    .min(range.min ?? 0)
    .max(range.max)
    .default(initial)
    .meta({ unit: 'count' });

/** A setting that counts only where settings beside it say so; elsewhere no form asks for it, and any value of it is as good. */
export const onlyWhen = <T extends z.ZodType>(appliesWhen: AppliesWhen, field: T): T => field.meta({ appliesWhen });

/** As above; null switches the limit off. */
export const lengthOrOff = optionalField('length');
export const pointsOrOff = optionalField('points');
export const ppiOrOff = optionalField('ppi');
export const percentOrOff = optionalField('percent');
export const bytesOrOff = optionalField('bytes');
export const areaOrOff = optionalField('area');
export const countOrOff = (initial: number | null, range: Range) =>
  z
    .number()
    .int()
    .min(range.min ?? 0)
    .max(range.max)
    .nullable()
    .default(initial)
    .meta({ unit: 'count' });

export const flagField = (initial: boolean) => z.boolean().default(initial);
export const choiceField = <const T extends readonly [string, ...string[]]>(initial: T[number], options: T) =>
  z.enum(options).default(initial as never);
/** Names with `*` for any run of characters, compared without case. */
export const namesField = (initial: readonly string[] = []) =>
  z
    .array(z.string().min(1).max(200))
    .max(500)
    .default([...initial])
    .meta({ unit: 'names' });

/** A limit per edge of the page as one sees it (after Rotate). */
export const sidesField = (initial: number, range: Range) =>
  z
    .strictObject({
      left: lengthField(initial, range),
      right: lengthField(initial, range),
      top: lengthField(initial, range),
      bottom: lengthField(initial, range),
    })
    .prefault({});

/**
 * A group of settings; every part has its default, so the whole may be left out. One value in place of the group is
 * that of its `main` part: `renderTest: false`.
 */
export const groupField = <T extends z.ZodRawShape>(shape: T, main?: keyof T & string) => {
  const group = z.strictObject(shape).prefault({} as never);
  return main === undefined ? group : group.meta({ main });
};
