import { parseLength, toPoints, type Unit } from '@pdf2press/contract';
import type { Fact, FactType, FactValue } from '../facts/facts.ts';
import { minutesOf, readClock, readDuration, type Span, spanOf, weekdayOf } from './moments.ts';
import type { RegularExpressions } from './regular-expressions.ts';

/** What a rule is looked at with besides its fact. */
export interface Surroundings {
  now: Date;
  /** Of bare numbers that are compared with lengths. */
  unit: Unit;
  timeZone: string;
  isCaseSensitive: boolean;
  regular: RegularExpressions | null;
}

export interface Operator {
  /** How many values stand beside it. */
  count: 'none' | 'one' | 'two' | 'many';
  /** What a value of it is, for the form that asks for it; `same` is a value such as the fact's. */
  asks: 'text' | 'pattern' | 'same' | 'yesNo' | 'date' | 'weekday' | 'clock' | 'duration' | 'count' | 'none';
  /** Whether a value is one that the operator can use. */
  fits: (operand: Fact, around: Surroundings, actual: FactType) => boolean;
  /** Whether it holds for a fact that is there, beside as many values as `count` says. False for values that do not fit. */
  holds: (actual: Fact, operands: readonly Fact[], around: Surroundings) => boolean;
}

/** Reads a value, from a constant or a variable, beside a fact of a type; undefined: it does not fit. */
type Reader<T> = (operand: Fact, around: Surroundings, actual: FactType) => T | undefined;

function operator<T>({
  count,
  asks,
  read,
  holds,
}: Pick<Operator, 'count' | 'asks'> & {
  read: Reader<T>;
  holds: (actual: FactValue, expected: readonly T[], around: Surroundings, type: FactType) => boolean;
}): Operator {
  return {
    count,
    asks,
    fits: (operand, around, actual) => read(operand, around, actual) !== undefined,
    holds: ({ type, value }, operands, around) => {
      const expected: T[] = [];
      for (const operand of operands) {
        const each = read(operand, around, type);
        if (each === undefined) return false;
        expected.push(each);
      }
      return holds(value, expected, around, type);
    },
  };
}

const text: Reader<string> = ({ value }) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const asNumber = (value: FactValue): number | undefined =>
  typeof value === 'string' && value.trim() !== '' ? finite(Number(value)) : finite(value);

/** A number for numbers. For lengths: points, a variable's bare number in the reader's unit, or a text such as `3mm`. */
const number: Reader<number> = ({ type, value }, { unit }, actual) => {
  if (actual !== 'Length') return asNumber(value);
  if (typeof value === 'string') return finite(parseLength(value, unit) ?? undefined);
  return type === 'Length' ? finite(value) : typeof value === 'number' ? toPoints(value, unit) : undefined;
};
const yesNo: Reader<boolean> = ({ value }) => (typeof value === 'boolean' ? value : undefined);
const date: Reader<Span> = ({ value }, { timeZone }) => spanOf(value, timeZone) ?? undefined;
const weekday: Reader<number> = ({ value }) => {
  const day = asNumber(value);
  return day !== undefined && Number.isInteger(day) && day >= 1 && day <= 7 ? day : undefined;
};
const clock: Reader<number> = ({ value }) => readClock(value) ?? undefined;
const duration: Reader<number> = ({ value }) => readDuration(value) ?? undefined;
const whole: Reader<number> = ({ value }) => {
  const count = asNumber(value);
  return count !== undefined && Number.isInteger(count) && count >= 0 ? count : undefined;
};
const pattern: Reader<(text: string) => boolean> = ({ value }, { regular, isCaseSensitive }) => {
  if (typeof value !== 'string') return undefined;
  if (!regular)
    throw new Error('Rules with regular expressions need loadRegularExpressions() before they are looked at');
  return regular.compile(value, { isCaseSensitive }) ?? undefined;
};

const fold = (value: unknown, { isCaseSensitive }: Surroundings): string =>
  isCaseSensitive ? String(value).normalize() : String(value).normalize().toLowerCase();

/** `*` stands for any run of characters. Each piece is looked for once, from left to right: no pattern takes long. */
export function matchesWildcard(whole: string, wildcard: string): boolean {
  const [head = '', ...rest] = wildcard.split('*');
  const tail = rest.pop();
  if (tail === undefined) return whole === head;
  if (!whole.startsWith(head) || whole.length < head.length + tail.length || !whole.endsWith(tail)) return false;
  const end = whole.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = whole.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** Producers round sizes to whole or hundredth points: lengths within a tenth of a millimetre are the same. */
const lengthTolerance = 7.2 / 25.4;
/** Below, equal, above: numbers as they are but for the last bits, lengths within the tolerance. */
function compare(actual: FactValue, expected: number, type: FactType): number {
  const difference = Number(actual) - expected;
  const tolerance = type === 'Length' ? lengthTolerance : 1e-9 * Math.max(1, Math.abs(expected));
  return Math.abs(difference) <= tolerance ? 0 : Math.sign(difference);
}

const onText = (
  count: Operator['count'],
  holds: (actual: string, expected: readonly string[]) => boolean,
  asks: Operator['asks'] = 'text',
): Operator =>
  operator({
    count,
    asks,
    read: text,
    holds: (actual, expected, around) => {
      const folded = expected.map((each) => fold(each, around));
      return holds(fold(actual, around), folded);
    },
  });
const onNumber = (count: Operator['count'], holds: (order: readonly number[]) => boolean): Operator =>
  operator({
    count,
    asks: 'same',
    read: number,
    holds: (actual, expected, _, type) =>
      typeof actual === 'number' && holds(expected.map((each) => compare(actual, each, type))),
  });
const onDate = <T>(
  count: Operator['count'],
  asks: Operator['asks'],
  read: Reader<T>,
  holds: (actual: Span, expected: readonly T[], around: Surroundings) => boolean,
): Operator =>
  operator({
    count,
    asks,
    read,
    holds: (actual, expected, around) => {
      const span = spanOf(actual, around.timeZone);
      return span !== null && holds(span, expected, around);
    },
  });
const onList = (holds: (entries: ReadonlySet<string>, expected: readonly string[]) => boolean): Operator =>
  operator({
    count: 'many',
    asks: 'text',
    read: text,
    holds: (actual, expected, around) => {
      const entries = new Set(listOf(actual).map((entry) => fold(entry, around)));
      return holds(
        entries,
        expected.map((each) => fold(each, around)),
      );
    },
  });
const onCount = (holds: (order: number) => boolean): Operator =>
  operator({
    count: 'one',
    asks: 'count',
    read: whole,
    holds: (actual, [expected]) => holds(listOf(actual).length - Number(expected)),
  });
const listOf = (value: FactValue): readonly string[] => (Array.isArray(value) ? value : [String(value)]);

/** Holds for every fact that is there: a missing one never comes this far. */
const exists = operator({ count: 'none', asks: 'none', read: () => undefined, holds: () => true });

const forText = {
  equals: onText('one', (actual, [expected]) => actual === expected),
  notEquals: onText('one', (actual, [expected]) => actual !== expected),
  contains: onText('one', (actual, [expected = '']) => actual.includes(expected)),
  notContains: onText('one', (actual, [expected = '']) => !actual.includes(expected)),
  startsWith: onText('one', (actual, [expected = '']) => actual.startsWith(expected)),
  endsWith: onText('one', (actual, [expected = '']) => actual.endsWith(expected)),
  matchesWildcard: onText('one', (actual, [expected = '']) => matchesWildcard(actual, expected)),
  matchesRegex: operator({
    count: 'one',
    asks: 'pattern',
    read: pattern,
    holds: (actual, [finds]) => finds?.(String(actual)) ?? false,
  }),
  inList: onText('many', (actual, expected) => expected.includes(actual)),
  isEmpty: onText('none', (actual) => actual.trim() === '', 'none'),
  exists,
} as const satisfies Record<string, Operator>;

const forNumber = {
  equals: onNumber('one', ([order]) => order === 0),
  notEquals: onNumber('one', ([order]) => order !== 0),
  less: onNumber('one', ([order = 0]) => order < 0),
  atMost: onNumber('one', ([order = 0]) => order <= 0),
  greater: onNumber('one', ([order = 0]) => order > 0),
  atLeast: onNumber('one', ([order = 0]) => order >= 0),
  between: onNumber('two', ([low = 0, high = 0]) => low >= 0 && high <= 0),
  multipleOf: operator({
    count: 'one',
    asks: 'same',
    read: number,
    holds: (actual, [step = 0], _, type) =>
      typeof actual === 'number' && step !== 0 && compare(actual, Math.round(actual / step) * step, type) === 0,
  }),
  exists,
} as const satisfies Record<string, Operator>;

const forYesNo = {
  is: operator({ count: 'one', asks: 'yesNo', read: yesNo, holds: (actual, [expected]) => actual === expected }),
  isNot: operator({ count: 'one', asks: 'yesNo', read: yesNo, holds: (actual, [expected]) => actual !== expected }),
  exists,
} as const satisfies Record<string, Operator>;

const forDate = {
  before: onDate('one', 'date', date, (actual, [expected]) => !!expected && actual.start < expected.start),
  after: onDate(
    'one',
    'date',
    date,
    (actual, [expected]) => !!expected && (expected.isDay ? actual.start >= expected.end : actual.start > expected.end),
  ),
  between: onDate(
    'two',
    'date',
    date,
    (actual, [from, to]) =>
      !!from && !!to && actual.start >= from.start && (to.isDay ? actual.start < to.end : actual.start <= to.end),
  ),
  weekdayIn: onDate('many', 'weekday', weekday, (actual, expected, { timeZone }) =>
    expected.includes(weekdayOf(actual, timeZone)),
  ),
  // From 22:00 to 06:00 goes over midnight; the end is not part of the window.
  timeWindow: onDate('two', 'clock', clock, (actual, [from = 0, to = 0], { timeZone }) => {
    if (actual.isDay) return false;
    const at = minutesOf(actual, timeZone);
    return from <= to ? at >= from && at < to : at >= from || at < to;
  }),
  olderThan: onDate('one', 'duration', duration, (actual, [age = 0], { now }) => now.getTime() - actual.start > age),
  exists,
} as const satisfies Record<string, Operator>;

const forChoice = {
  is: onText('one', (actual, [expected]) => actual === expected),
  in: onText('many', (actual, expected) => expected.includes(actual)),
  exists,
} as const satisfies Record<string, Operator>;

const forList = {
  containsAny: onList((entries, expected) => expected.some((each) => entries.has(each))),
  containsAll: onList((entries, expected) => expected.every((each) => entries.has(each))),
  containsNone: onList((entries, expected) => !expected.some((each) => entries.has(each))),
  countEquals: onCount((order) => order === 0),
  countNotEquals: onCount((order) => order !== 0),
  countLess: onCount((order) => order < 0),
  countAtMost: onCount((order) => order <= 0),
  countGreater: onCount((order) => order > 0),
  countAtLeast: onCount((order) => order >= 0),
  exists,
} as const satisfies Record<string, Operator>;

/** The operators of each type of fact. Their labels are in the message files under `operator.<name>`. */
export const operatorsByType = {
  String: forText,
  Number: forNumber,
  Length: forNumber,
  Bytes: forNumber,
  YesNo: forYesNo,
  Date: forDate,
  Choice: forChoice,
  List: forList,
} as const satisfies Record<FactType, Record<string, Operator>>;

export const operatorOf = (type: FactType, name: string): Operator | undefined => {
  const operators: Readonly<Record<string, Operator>> = operatorsByType[type];
  return Object.hasOwn(operators, name) ? operators[name] : undefined;
};

/** Names of all operators, each once. */
export const operatorNames: readonly string[] = [
  ...new Set(Object.values(operatorsByType).flatMap((operators) => Object.keys(operators))),
];
