import { formatBytes, parseLength } from '@pdf2press/contract';
import { type Fact, type FactType, type FactValue, factTypes, readDate } from '../facts/facts.ts';
import { formatDate, isDatePattern } from './date-pattern.ts';
import { plainNumber, plainText, type Reader } from './plain-text.ts';

/** One format of the placeholder syntax. Its help is in the message files under `format.<name>`. */
export interface Format {
  /** What stands after the colon: nothing, a whole number, or a text that `accepts` judges. */
  argument: 'none' | 'integer' | 'text';
  /** Of an integer: the least and the most. */
  range?: readonly [number, number];
  accepts?: (argument: string) => boolean;
  /** Types of value it can be put on. */
  takes: readonly FactType[];
  gives: FactType;
  /** Only called with a value that is there, except for `default`. */
  apply: (fact: Fact, argument: string, reader: Reader) => FactValue;
  /** For the operator's reference: a value, the call as it is written, what comes out in English with millimetres. */
  example: readonly [value: Fact, call: string, result: string];
}

const string = (value: string): Fact => ({ type: 'String', value });
const number = (value: number): Fact => ({ type: 'Number', value });

/** Points of each unit that a length can be shown in, and its decimals. */
const lengthUnits: Readonly<Record<string, number>> = { mm: 2, cm: 3, m: 4, in: 3, ft: 4, pt: 2 };
const isLengthUnit = (argument: string) => Object.hasOwn(lengthUnits, argument);
const onePoint = (unit: string) => parseLength(`1${unit}`) ?? 1;

/** The number that a value is: a length in the reader's unit, a text that holds nothing else; NaN for other values. */
function numberOf(fact: Fact, reader: Reader): number {
  const text = typeof fact.value === 'number' && fact.type !== 'Length' ? fact.value : plainText(fact, reader);
  return text === '' ? Number.NaN : Number(text);
}
const pointsOf = ({ value }: Fact): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? (parseLength(value) ?? Number.NaN) : Number.NaN;
/** A value that a format cannot read stays as it is. */
const or = (fact: Fact, made: number, show: (made: number) => FactValue): FactValue =>
  Number.isFinite(made) ? show(made) : fact.value;

/** The first `count` characters as a person counts them. */
function clip(text: string, count: number): string {
  let end = 0;
  let taken = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(text)) {
    if (taken === count) break;
    taken += 1;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

// Letters that have no mark to take off (the rest of Latin falls apart by Unicode's own tables).
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
};
const latin = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæÆœŒøØđĐłŁðÐþÞı]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFC');

type TextFormat = Pick<Format, 'example'> &
  Partial<Format> & { text: (text: string, argument: string, reader: Reader) => string };
/** A format that works on the text of any value. */
const onText = ({ text, ...rest }: TextFormat): Format => ({
  argument: 'none',
  takes: factTypes,
  gives: 'String',
  apply: (fact, argument, reader) => text(plainText(fact, reader), argument, reader),
  ...rest,
});

const dayAt = (value: FactValue) => readDate(value);
const example = '2026-11-22T18:33:00Z';

export const formats = {
  upper: onText({
    text: (text, _, { locale }) => text.toLocaleUpperCase(locale),
    example: [string('Flyer'), 'upper', 'FLYER'],
  }),
  lower: onText({
    text: (text, _, { locale }) => text.toLocaleLowerCase(locale),
    example: [string('Flyer'), 'lower', 'flyer'],
  }),
  title: onText({
    text: (text, _, { locale }) =>
      text.replace(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu, (word) => {
        const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
        return first.toLocaleUpperCase(locale) + word.slice(first.length).toLocaleLowerCase(locale);
      }),
    example: [string('summer SALE'), 'title', 'Summer Sale'],
  }),
  trim: onText({
    text: (text) => text.trim().replace(/\s+/gu, ' '),
    example: [string('  two   words '), 'trim', 'two words'],
  }),
  slug: onText({
    text: (text) =>
      latin(text)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, ''),
    example: [string('Größe & Preis (neu)'), 'slug', 'grosse-preis-neu'],
  }),
  max: onText({
    argument: 'integer',
    range: [1, 10_000],
    text: (text, argument) => clip(text, Number(argument)),
    example: [string('Annual report'), 'max:6', 'Annual'],
  }),
  ellipsis: onText({
    argument: 'integer',
    range: [2, 10_000],
    text: (text, argument) => {
      const short = clip(text, Number(argument));
      return short === text ? text : `${clip(short, Number(argument) - 1).trimEnd()}…`;
    },
    example: [string('Annual report'), 'ellipsis:8', 'Annual…'],
  }),
  pad: onText({
    argument: 'integer',
    range: [1, 200],
    text: (text, argument) => text.padStart(Number(argument), '0'),
    example: [number(12), 'pad:4', '0012'],
  }),
  number: {
    argument: 'integer',
    range: [0, 6],
    takes: ['Number', 'Length', 'Bytes', 'String'],
    gives: 'String',
    apply: (fact, argument, reader) =>
      or(fact, numberOf(fact, reader), (value) =>
        new Intl.NumberFormat(reader.locale, {
          minimumFractionDigits: Number(argument),
          maximumFractionDigits: Number(argument),
        }).format(value),
      ),
    example: [number(1234.5), 'number:2', '1,234.50'],
  },
  unit: {
    argument: 'text',
    accepts: isLengthUnit,
    takes: ['Length', 'String'],
    gives: 'String',
    apply: (fact, unit, { locale }) =>
      or(fact, pointsOf(fact), (points) => {
        const options = { maximumFractionDigits: lengthUnits[unit] ?? 2 };
        return `${new Intl.NumberFormat(locale, options).format(points / onePoint(unit))} ${unit}`;
      }),
    example: [{ type: 'Length', value: (210 * 72) / 25.4 }, 'unit:mm', '210 mm'],
  },
  in: {
    argument: 'text',
    accepts: isLengthUnit,
    takes: ['Length', 'String'],
    gives: 'Number',
    apply: (fact, unit) =>
      or(fact, pointsOf(fact), (points) => Number(plainNumber(points / onePoint(unit), lengthUnits[unit]))),
    example: [{ type: 'Length', value: 72 }, 'in:mm', '25.4'],
  },
  size: {
    argument: 'none',
    takes: ['Bytes', 'Number'],
    gives: 'String',
    apply: (fact, _, reader) => or(fact, numberOf(fact, reader), formatBytes),
    example: [{ type: 'Bytes', value: 3_355_443 }, 'size', '3.20 MB'],
  },
  date: {
    argument: 'text',
    accepts: isDatePattern,
    takes: ['Date', 'String'],
    gives: 'String',
    apply: (fact, pattern, reader) => {
      const date = dayAt(fact.value);
      return date ? formatDate(date.at, pattern, { ...reader, ...(date.isDay && { timeZone: 'UTC' }) }) : fact.value;
    },
    example: [{ type: 'Date', value: example }, 'date:dd.MM.yyyy', '22.11.2026'],
  },
  join: {
    argument: 'text',
    takes: ['List'],
    gives: 'String',
    apply: ({ value }, separator) => (Array.isArray(value) ? value.join(separator) : value),
    example: [{ type: 'List', value: ['Cyan', 'Gold'] }, 'join:" + "', 'Cyan + Gold'],
  },
  count: {
    argument: 'none',
    takes: ['List'],
    gives: 'Number',
    apply: ({ value }) => (Array.isArray(value) ? value.length : 1),
    example: [{ type: 'List', value: ['Cyan', 'Gold'] }, 'count', '2'],
  },
  default: {
    argument: 'text',
    takes: factTypes,
    gives: 'String',
    apply: ({ value }) => value,
    example: [string(''), 'default:none', 'none'],
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];
export const formatOf = (name: string): Format | undefined =>
  Object.hasOwn(formats, name) ? formats[name as FormatName] : undefined;

/** Whether an argument fits a format; null where it fits. */
export function argumentFault(format: Format, argument: string | null): 'argumentMissing' | 'argumentInvalid' | null {
  if (format.argument === 'none') return argument === null ? null : 'argumentInvalid';
  if (argument === null || (argument === '' && format.argument === 'integer')) return 'argumentMissing';
  if (format.argument === 'text') return (format.accepts?.(argument) ?? true) ? null : 'argumentInvalid';
  const [least, most] = format.range ?? [0, Number.MAX_SAFE_INTEGER];
  const value = /^\d{1,6}$/.test(argument) ? Number(argument) : Number.NaN;
  return value >= least && value <= most ? null : 'argumentInvalid';
}
