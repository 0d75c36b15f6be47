/** Formats values of the change log for a reader: lengths in the reader's unit, colours by ink letters. */
import { formatLength, formatNumber, type Locale, toPoints, type Unit } from '@pdf2press/contract';

interface Reader {
  locale: Locale;
  /** Null: values stay as logged, in points. */
  unit: Unit | null;
  /** Translates `values.<text>` of the action or `colour.<text>` of the common messages. */
  wordOf: (code: string) => string | undefined;
}

type Numbers = readonly number[];
const number = String.raw`-?\d+(?:\.\d+)?`;
const numbers = (count: number) => `((?: ?${number}){${count}})`;
const spaces = 'Device(?:CMYK|RGB|Gray)|Cal(?:RGB|Gray)|ICCBased|Indexed|Pattern';

/** Names of colour spaces for readers who do not know PDF. */
const spaceWords: Readonly<Record<string, string>> = {
  DeviceCMYK: 'CMYK',
  DeviceRGB: 'RGB',
  DeviceGray: 'Gray',
  ICCBased: 'ICC',
  Indexed: 'Indexed',
  Pattern: 'Pattern',
};

function inks(values: Numbers, { locale, wordOf }: Reader): string {
  const letters = (wordOf('colour.letters') ?? 'C M Y K').split(' ');
  return values.map((value, at) => `${letters[at]} ${formatNumber(value, 2, locale)}`).join(' ');
}

const rgb = (values: Numbers, { wordOf }: Reader): string =>
  `${wordOf('colour.RGB') ?? 'RGB'} ${values.map((value) => Math.round(value)).join(' ')}`;

/** Grey as percent of black. */
const grey = (black: number, { locale, wordOf }: Reader): string =>
  `${wordOf('colour.Gray') ?? 'Gray'} ${formatNumber(black, 2, locale)} %`;

const spaceName = (name: string, { wordOf }: Reader): string => wordOf(`colour.${spaceWords[name] ?? name}`) ?? name;

function box([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Numbers, reader: Reader, text: string): string {
  if (reader.unit === null) return text;
  const say = (points: number) => length(points, reader);
  const size = `${say(x1 - x0)} × ${say(y1 - y0)}`;
  return x0 === 0 && y0 === 0 ? size : `${size} (${say(x0)} / ${say(y0)})`;
}

const length = (points: number, { unit, locale }: Reader): string =>
  formatLength(points, unit ?? 'Millimeters', locale);

type Say = (values: Numbers, reader: Reader, text: string) => string;

/** Formats in which actions log values; the first match is used. */
const forms: readonly (readonly [RegExp, Say])[] = [
  [new RegExp(`^${numbers(4)}$`), box],
  [new RegExp(`^(${number}) mm$`), ([millimetres = 0], reader) => length(toPoints(millimetres, 'Millimeters'), reader)],
  [new RegExp(`^(${number}) pt$`), ([points = 0], { locale }) => `${formatNumber(points, 2, locale)} pt`],
  [new RegExp(`^C (${number}) M (${number}) Y (${number}) K (${number})$`), inks],
  [new RegExp(`^DeviceCMYK${numbers(4)}$`), inks],
  // Operands of a content stream, 0–1.
  [
    new RegExp(`^${numbers(4)} k$`),
    (values, reader) =>
      inks(
        values.map((value) => value * 100),
        reader,
      ),
  ],
  [new RegExp(`^RGB${numbers(3)}$`), rgb],
  [
    new RegExp(`^DeviceRGB${numbers(3)}$`),
    (values, reader) =>
      rgb(
        values.map((value) => value * 2.55),
        reader,
      ),
  ],
  [new RegExp(`^Gray (${number})$`), ([light = 0], reader) => grey(100 - light * 100, reader)],
  [new RegExp(`^DeviceGray (${number})$`), ([light = 0], reader) => grey(100 - light, reader)],
];

const spaceForm = new RegExp(`^(?:${spaces})$`);
const tintForm = /^(.+) (\d+(?:\.\d+)?) %$/;
const withinForm = new RegExp(`^(Separation|DeviceN|Indexed) \\((${spaces}|Lab|Separation|DeviceN)\\)$`);

/** A logged value in the reader's language. Values of no known format stay as they are, such as names. */
export function loggedValue(text: string, reader: Reader): string {
  const known = reader.wordOf(`values.${text}`);
  if (known !== undefined) return known;
  for (const [form, say] of forms) {
    const match = form.exec(text);
    if (match)
      return say(
        match.slice(1).flatMap((part) => part.trim().split(' ').map(Number)),
        reader,
        text,
      );
  }
  if (spaceForm.test(text)) return spaceName(text, reader);
  const tints = text.split(' + ').map((ink) => tintForm.exec(ink));
  if (tints.every((ink) => ink !== null))
    return tints.map(([, name, tint]) => `${name} ${formatNumber(Number(tint), 2, reader.locale)} %`).join(' + ');
  const [, family = '', of = ''] = withinForm.exec(text) ?? [];
  const within = reader.wordOf(family === 'Indexed' ? 'colour.palette' : 'colour.inks');
  if (of !== '' && within !== undefined) return within.replace('{space}', spaceName(of, reader));
  const pieces = text.split(', ');
  return pieces.length > 1 && pieces.every((piece) => reader.wordOf(`values.${piece}`) !== undefined)
    ? pieces.map((piece) => reader.wordOf(`values.${piece}`)).join(', ')
    : text;
}
