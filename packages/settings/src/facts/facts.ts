/**
 * Facts: what texts, conditions and bound settings may ask about a session, a sheet or a message. A fact has a type, so
 * that a length is shown in the reader's unit and a condition offers the operators that make sense for it.
 */

export const factTypes = ['String', 'Number', 'Length', 'Bytes', 'YesNo', 'Date', 'List', 'Choice'] as const;
/** `Length` is in points, `Bytes` in bytes, `Choice` is one of a fixed list of words, `List` is a list of texts. */
export type FactType = (typeof factTypes)[number];

/**
 * A `Date` is a moment (a `Date`, or its ISO 8601 text with a time and a zone) or a calendar day (`2026-11-22`), which is
 * the same day in every time zone. Null: the name is known, and there is no value.
 */
export type FactValue = string | number | boolean | Date | readonly string[] | null;

export interface Fact {
  type: FactType;
  value: FactValue;
}

/** Facts by name, the name in lower case: names are found without regard to case. Made by `factsOf`. */
export type Facts = ReadonlyMap<string, Fact>;

/** How a name is looked up. */
export const nameKey = (name: string): string => name.toLowerCase();

const typeOfValue = (value: FactValue): FactType => {
  if (typeof value === 'number') return 'Number';
  if (typeof value === 'boolean') return 'YesNo';
  if (value instanceof Date) return 'Date';
  return Array.isArray(value) ? 'List' : 'String';
};

/**
 * Facts from plain values by name.
 * @param typeOf the declared type of a name; a name without one has the type of its value
 */
export function factsOf(
  values: Readonly<Record<string, FactValue | undefined>>,
  typeOf: (name: string) => FactType | undefined = () => undefined,
): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  for (const [name, value] of Object.entries(values)) {
    const given = value ?? null;
    facts.set(nameKey(name), { type: typeOf(name) ?? typeOfValue(given), value: given });
  }
  return facts;
}

/** Whether there is nothing to show: no value, an empty text, an empty list. */
export const isMissing = (value: FactValue | undefined): value is null | undefined | '' =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A calendar day or a moment as read from a fact; null when it is neither. */
export function readDate(value: FactValue): { at: Date; isDay: boolean } | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { at: value, isDay: false };
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d))?$/.test(value)) return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : { at, isDay: value.length === 10 };
}
