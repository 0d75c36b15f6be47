import { type AppliesWhen, settingApplies, type VariableScope } from '@pdf2press/settings';
import { z } from 'zod';

/** The description of a setting for generated forms, derived from its zod schema through JSON Schema. */
export type FieldShape = Field & {
  /** Values of sibling settings with which this setting applies; without it the setting always applies. */
  appliesWhen?: AppliesWhen;
};

type Field =
  | {
      kind: 'group';
      fields: readonly (readonly [string, FieldShape])[];
      /** The setting that decides which of the others there are; a value holds no others. */
      decidedBy?: string;
      /** The fields stand in the order of the schema, also those that are wide. */
      isInOrder?: boolean;
    }
  | {
      kind: 'number';
      unit: string | null;
      min?: number;
      max?: number;
      isInteger: boolean;
      isOptional: boolean;
      /** What stands for "not given" where the setting is optional: a word such as `Auto`; null without one. */
      offValue: string | null;
      initial: unknown;
    }
  /** Lengths one after the other, points; or the word that stands for none given. */
  | { kind: 'lengths'; offValue: string | null; initial: unknown }
  | { kind: 'flag'; initial: unknown }
  | { kind: 'choice'; options: readonly string[]; isOptional: boolean; initial: unknown }
  /** `isNeeded`: must not be empty. */
  | {
      kind: 'text';
      isOptional: boolean;
      /** How many lines of it are seen at least. */
      lines: number;
      isNeeded: boolean;
      /** The names that its placeholders may use; without it the text has none. */
      placeholders?: VariableScope;
      initial: unknown;
    }
  | { kind: 'names'; initial: unknown }
  | { kind: 'several'; options: readonly string[]; initial: unknown }
  /** `isOrdered`: the order of the entries has a meaning, and can be changed. */
  | { kind: 'rows'; row: FieldShape; unit: string | null; isOrdered?: boolean }
  /** A fixed number of values: four edges, four inks. */
  | { kind: 'tuple'; parts: readonly FieldShape[]; isOptional: boolean; initial: unknown }
  /** A list of whole numbers. */
  | { kind: 'numbers'; initial: unknown }
  /** A small file that is kept among the settings, by its name and its bytes as base64; null for none. */
  | { kind: 'attachment'; accept: readonly string[]; maxBytes: number; initial: unknown }
  /** A value with an editor of its own, which whoever shows the form brings (`FieldEditors`). `of` says what it is about. */
  | { kind: 'custom'; editor: string; of: string | null; initial: unknown }
  | { kind: 'unknown' };

interface Json {
  type?: string | string[];
  properties?: Record<string, Json>;
  items?: Json | false;
  prefixItems?: Json[];
  enum?: unknown[];
  anyOf?: Json[];
  allOf?: Json[];
  oneOf?: Json[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  const?: unknown;
  unit?: string;
  /** `length`: a number of points, however it may be typed. `attachment`: a file. */
  kind?: string;
  /** Of an `attachment`. */
  accept?: string[];
  maxBytes?: number;
  min?: number;
  max?: number;
  appliesWhen?: AppliesWhen;
  placeholders?: VariableScope;
  isOrdered?: boolean;
  editor?: string;
  of?: string;
}

/** Longer texts get a field of several lines; whole documents, such as the body of a call, of many. */
const longText = 200;
const document = 5000;
const linesFor = (longest: number): number => (longest >= document ? 8 : longest > longText ? 2 : 1);

/** The shape of a settings schema. Unsupported types become `unknown` and keep their stored value. */
export const shapeOf = (schema: z.ZodType): FieldShape =>
  read(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);

const wordOf = ({ const: only, enum: some }: Json): string | null =>
  typeof only === 'string' ? only : some?.length === 1 && typeof some[0] === 'string' ? some[0] : null;

/** A word or a value of its own (`Auto` or 3 rows), and a choice whose values are numbers or words (0, 90, `Auto`). */
function readWordOrValue(choices: readonly Json[], initial: unknown): FieldShape | null {
  const fixed = choices.flatMap(({ const: only }) => (only === undefined ? [] : [String(only)]));
  if (fixed.length === choices.length) return { kind: 'choice', options: fixed, isOptional: false, initial };
  const [word, value, ...others] = choices;
  const offValue = word ? wordOf(word) : null;
  if (!value || offValue === null || others.length > 0) return null;
  if (value.type === 'array' && value.items && value.items.kind === 'length')
    return { kind: 'lengths', offValue, initial };
  const inner = read(value);
  return inner.kind === 'number' ? { ...inner, isOptional: true, offValue, initial } : null;
}

/**
 * One of several groups, told apart by a word: the settings that all of them have, the word, and the others, each where its
 * word is chosen.
 */
function readVariants(choices: readonly Json[]): Field | null {
  const [first] = choices;
  const names = Object.keys(first?.properties ?? {});
  const on = names.find((name) => choices.every(({ properties }) => properties?.[name]?.const !== undefined));
  if (on === undefined) return null;
  const isShared = (name: string) => choices.every(({ properties }) => properties && Object.hasOwn(properties, name));
  const shared = names.filter((name) => name !== on && isShared(name));
  const words = choices.map(({ properties }) => String(properties?.[on]?.const));
  const own = choices.flatMap(({ properties = {} }, at) =>
    Object.entries(properties)
      .filter(([name]) => name !== on && !shared.includes(name))
      .map(([name, inner]): [string, FieldShape] => [name, { ...read(inner), appliesWhen: { [on]: words[at] ?? '' } }]),
  );
  const word: FieldShape = { kind: 'choice', options: words, isOptional: false, initial: words[0] };
  const before = shared.map((name): [string, FieldShape] => [name, read(first?.properties?.[name] ?? {})]);
  return { kind: 'group', fields: [...before, [on, word], ...own], decidedBy: on };
}

/** A value without what the settings that decide have ruled out: forms keep it for when it applies again. */
export function withoutRuledOut(shape: FieldShape, value: unknown): unknown {
  if (shape.kind === 'rows' && Array.isArray(value)) return value.map((row) => withoutRuledOut(shape.row, row));
  if (shape.kind !== 'group' || typeof value !== 'object' || value === null) return value;
  const known = new Map(shape.fields);
  const given = value as Readonly<Record<string, unknown>>;
  const entries = Object.entries(given).flatMap(([name, inner]): [string, unknown][] => {
    const field = known.get(name);
    const isOut = shape.decidedBy !== undefined && field?.appliesWhen && !settingApplies(field.appliesWhen, given);
    return isOut ? [] : [[name, field ? withoutRuledOut(field, inner) : inner]];
  });
  return Object.fromEntries(entries);
}

/**
 * A value without the empty lists of rows that a form has put where the value before had none: it makes them to show where a row
 * can be added, and they change nothing.
 */
export function withoutAddedLists(shape: FieldShape, value: unknown, before: unknown): unknown {
  if (shape.kind !== 'group' || typeof value !== 'object' || value === null) return value;
  const known = new Map(shape.fields);
  const old = (before ?? {}) as Readonly<Record<string, unknown>>;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const field = known.get(name);
    const isAdded = field?.kind === 'rows' && !(name in old) && Array.isArray(inner) && inner.length === 0;
    return isAdded ? [] : [[name, field ? withoutAddedLists(field, inner, old[name]) : inner]];
  });
  return Object.fromEntries(entries);
}

function read(json: Json): FieldShape {
  const { appliesWhen, ...rest } = json;
  return appliesWhen ? { ...readField(rest), appliesWhen } : readField(json);
}

function readField(json: Json): FieldShape {
  if (json.editor !== undefined)
    return { kind: 'custom', editor: json.editor, of: json.of ?? null, initial: json.default };
  if (json.kind === 'length') {
    const { min, max } = json;
    const limits = { ...(min !== undefined ? { min } : {}), ...(max !== undefined ? { max } : {}) };
    const rest = { isInteger: false, isOptional: false, offValue: null, initial: json.default };
    return { kind: 'number', unit: json.unit ?? 'length', ...limits, ...rest };
  }
  if (json.kind === 'attachment')
    return { kind: 'attachment', accept: json.accept ?? [], maxBytes: json.maxBytes ?? 0, initial: json.default };
  const choices = json.anyOf ?? json.oneOf;
  if (choices) {
    const wordOrValue = readWordOrValue(choices, json.default);
    if (wordOrValue) return wordOrValue;
    const [first, ...others] = choices.filter((choice) => choice.type !== 'null');
    const isOptional = choices.length > others.length + 1;
    if (!first || others.length > 0) return readVariants(choices) ?? { kind: 'unknown' };
    const inner = read({ ...first, default: json.default ?? first.default, unit: json.unit ?? first.unit } as Json);
    return 'isOptional' in inner ? { ...inner, isOptional } : inner;
  }
  if (json.allOf?.length === 1 && json.allOf[0]) return read({ ...json.allOf[0], ...json, allOf: [] } as Json);
  const initial = json.default;
  if (json.enum) return { kind: 'choice', options: json.enum.map(String), isOptional: false, initial };
  switch (json.type) {
    case 'object':
      return json.properties
        ? { kind: 'group', fields: Object.entries(json.properties).map(([key, inner]) => [key, read(inner)] as const) }
        : { kind: 'unknown' };
    case 'boolean':
      return { kind: 'flag', initial };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        unit: json.unit ?? null,
        ...(json.minimum !== undefined ? { min: json.minimum } : {}),
        ...(json.maximum !== undefined ? { max: json.maximum } : {}),
        isInteger: json.type === 'integer',
        isOptional: false,
        offValue: null,
        initial,
      };
    case 'string':
      return {
        kind: 'text',
        isOptional: false,
        lines: linesFor(json.maxLength ?? 0),
        isNeeded: (json.minLength ?? 0) > 0,
        ...(json.placeholders && { placeholders: json.placeholders }),
        initial,
      };
    case 'array': {
      if (json.prefixItems) {
        const parts = json.prefixItems.map((part) => withUnit(read(part), json.unit));
        return { kind: 'tuple', parts, isOptional: false, initial };
      }
      const item = json.items || undefined;
      if (item?.enum) return { kind: 'several', options: item.enum.map(String), initial };
      if (item?.type === 'string') return { kind: 'names', initial };
      if (item?.type === 'number' && json.unit === 'length') return { kind: 'lengths', offValue: null, initial };
      if (item?.type === 'integer') return { kind: 'numbers', initial };
      if (item?.type === 'object' || item?.oneOf || item?.anyOf) {
        const row = withUnit(read(item), json.unit);
        if (row.kind === 'group')
          return { kind: 'rows', row, unit: json.unit ?? null, ...(json.isOrdered && { isOrdered: true }) };
      }
      return { kind: 'unknown' };
    }
    default:
      return { kind: 'unknown' };
  }
}

/** The unit of the numbers in a list. */
const withUnit = (shape: FieldShape, unit: string | undefined): FieldShape => {
  if (!unit) return shape;
  if (shape.kind === 'number') return { ...shape, unit: shape.unit ?? unit };
  if (shape.kind === 'group')
    return { ...shape, fields: shape.fields.map(([key, inner]) => [key, withUnit(inner, unit)] as const) };
  return shape;
};
