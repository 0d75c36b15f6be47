/** What a fix did, as plain sentences in the reader's language. */
import {
  contractMessages,
  type ErrorParams,
  type FixChange,
  type FixReason,
  type FixReport,
  fillIn,
  formatLength,
  type Locale,
  type MessageFiles,
  sentence,
  toPoints,
  type Unit,
} from '@pdf2press/contract';
import { isFileFault } from '@pdf2press/contract/faults';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import { messages as frame } from './messages.ts';

const filesOf = (action: string): readonly MessageFiles[] =>
  Object.hasOwn(fixContracts, action) ? [fixContracts[action as FixKey].messages, frame] : [frame];

type Params = Readonly<Record<string, unknown>>;

/** A language's own words where it differs from its name on the wire. */
const tagOf = (locale: Locale): string => (locale === 'it-IT' ? 'it' : locale);
const pluralRules = new Map<Locale, Intl.PluralRules>();

/** `one`, `many`, `other`: by the number that a sentence counts. */
function pluralOf(params: Params, locale: Locale): string {
  const rules = pluralRules.get(locale) ?? new Intl.PluralRules(tagOf(locale));
  pluralRules.set(locale, rules);
  const counted = Object.values(params).find((value) => typeof value === 'number');
  return typeof counted === 'number' ? rules.select(counted) : 'other';
}

/** The first that knows the code, in the reader's language, else in English; in the form that its number asks for. */
function textOf(action: string, code: string, locale: Locale, params: Params = {}): string | undefined {
  const plural = pluralOf(params, locale);
  for (const files of filesOf(action)) {
    const say = (file: Readonly<Record<string, string>>): string | undefined =>
      file[code] ?? file[`${code}_${plural}`] ?? file[`${code}_other`];
    const text = say(files[locale]) ?? say(files.en);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A formatter takes longer to make than a whole log to write. */
const numberFormats = new Map<Locale, Intl.NumberFormat>();

function numberFormat(locale: Locale): Intl.NumberFormat {
  const known = numberFormats.get(locale);
  if (known) return known;
  const made = new Intl.NumberFormat(tagOf(locale), { maximumFractionDigits: 2 });
  numberFormats.set(locale, made);
  return made;
}

function words(params: Params, locale: Locale): Record<string, unknown> {
  const number = numberFormat(locale);
  const text = (value: unknown): unknown =>
    typeof value === 'number' ? number.format(value) : Array.isArray(value) ? value.map(text).join(', ') : value;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, text(value)]));
}

const box = /^-?[\d.]+(?: -?[\d.]+){3}$/;
const millimetres = /^(-?[\d.]+) mm$/;

/** A logged value in the reader's unit: a box by its size and where its corner lies, a length as such; else as it is. */
function measured(value: string | null, unit: Unit, locale: Locale): string | null {
  if (value === null) return null;
  const say = (points: number) => formatLength(points, unit, tagOf(locale));
  const length = millimetres.exec(value)?.[1];
  if (length !== undefined) return say(toPoints(Number(length), 'Millimeters'));
  if (!box.test(value)) return value;
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = value.split(' ').map(Number);
  const size = `${say(x1 - x0)} × ${say(y1 - y0)}`;
  return x0 === 0 && y0 === 0 ? size : `${size} (${say(x0)} / ${say(y0)})`;
}

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const fixActionLabel = (action: string, locale: Locale): string => textOf(action, 'label', locale) ?? action;

/** Why an action was skipped, failed or warns. */
export function fixReasonSentence(action: string, code: string, params: Params, locale: Locale): string {
  const text = textOf(action, `reasons.${code}`, locale, params);
  return text === undefined ? code : fillIn(text, words(params, locale));
}

/**
 * Why an action ended as it did, or what the whole profile warns of, with actions by their names. What is wrong with the
 * file itself is said in the contract's words.
 */
export function fixReasonTold(action: string, { code, params }: FixReason, locale: Locale): string {
  if (isFileFault(code)) return sentence(contractMessages, locale, code, params as ErrorParams);
  if (code !== 'order.inverted') return fixReasonSentence(action, code, params, locale);
  const label = (key: unknown) => fixActionLabel(String(key), locale);
  return fixReasonSentence(action, code, { first: label(params.first), second: label(params.second) }, locale);
}

/** A whole report: what warns, fails and was changed, a sentence a line. */
export function fixReportLines({ warnings, actions, changes }: Omit<FixReport, 'out'>, locale: Locale): string[] {
  return [
    ...warnings.map((warning) => fixReasonTold('', warning, locale)),
    ...actions.flatMap(({ action, outcome, reason, warnings: own }) =>
      [
        ...(reason ? [`${outcome}: ${reason.code}: ${fixReasonTold(action, reason, locale)}`] : []),
        ...own.map((warning) => fixReasonTold(action, warning, locale)),
      ].map((line) => `${fixActionLabel(action, locale)}: ${line}`),
    ),
    ...changes.map((change) => fixChangeSentence(change, locale)),
  ];
}

/**
 * One line of the change log: `Page 3: the TrimBox was set to … (before: …)`. With a unit, boxes and lengths are said in
 * it; without one they stand as they are logged, in points of the page's coordinates.
 */
export function fixChangeSentence(
  change: Pick<FixChange, 'action' | 'what' | 'page' | 'before' | 'after' | 'params' | 'count'>,
  locale: Locale,
  unit: Unit | null = null,
): string {
  const { page, count, params } = change;
  const [before, after] = [change.before, change.after].map((value) => (unit ? measured(value, unit, locale) : value));
  const nothing = textOf('', 'nothing', locale) ?? '';
  const values = words(
    { ...params, before: before ?? nothing, after: after ?? nothing, count, page: page ?? '' },
    locale,
  );
  const text = fillIn(textOf(change.action, `changes.${change.what}`, locale, params) ?? change.what, values);
  const head = page === null ? '' : fillIn(textOf('', 'onPage', locale) ?? '', values);
  const tail = count > 1 ? fillIn(textOf('', 'times', locale) ?? '', values) : '';
  return `${head}${head ? text : withCapital(text)}${tail}`;
}
