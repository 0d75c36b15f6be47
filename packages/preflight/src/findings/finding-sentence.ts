/** Findings as sentences, for the customer and for the operator. */
import {
  type Finding,
  fillIn,
  formatBytes,
  formatLength,
  type Locale,
  type Measure,
  type MessageFiles,
  messageOf,
  type Unit,
} from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '../checks/contracts.ts';
import { messages as frameMessages } from './messages.ts';

export type Audience = 'customer' | 'operator';

const numberText = (value: number, locale: Locale, digits = 2): string =>
  new Intl.NumberFormat(locale, {
    maximumFractionDigits: digits,
  }).format(value);

/**
 * A measured value or a limit as text. Lengths, stored in points, are shown in `unit`, or in points with `asPoints`. Two
 * numbers are width × height, four are a range of sizes.
 */
export function measureText(measure: Measure, locale: Locale, unit: Unit, asPoints = false): string {
  const { value } = measure;
  const one = (exact: number): string => {
    // Prevents '-0 mm'.
    const each = Math.abs(exact) < 0.005 ? 0 : exact;
    if (measure.unit === 'pt') return asPoints ? `${numberText(each, locale, 3)} pt` : formatLength(each, unit, locale);
    if (measure.unit === 'bytes') return formatBytes(each);
    if (measure.unit === 'ppi') return `${numberText(each, locale, 0)} ppi`;
    if (measure.unit === '%') return `${numberText(each, locale, 1)} %`;
    if (measure.unit === 'deg') return `${numberText(each, locale, 1)}°`;
    return numberText(each, locale);
  };
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return one(value);
  const texts = value.map(one);
  return texts.length === 4 ? `${texts[0]} × ${texts[1]} – ${texts[2]} × ${texts[3]}` : texts.join(' × ');
}

/** A parameter as text; `{name:length}` shows points in the unit, `{name:pt}` shows points. */
function paramText(value: unknown, format: string | undefined, locale: Locale, unit: Unit): string {
  if (Array.isArray(value)) return value.map((each) => paramText(each, format, locale, unit)).join(', ');
  if (typeof value !== 'number') return value === null || value === undefined ? '' : String(value);
  if (format === 'length') return formatLength(value, unit, locale);
  if (format === 'pt') return `${numberText(value, locale)} pt`;
  return numberText(value, locale);
}

const messagesFor = (checkKey: string): MessageFiles | undefined =>
  Object.hasOwn(checkContracts, checkKey) ? checkContracts[checkKey as CheckKey].messages : undefined;

const lookUp = (files: MessageFiles | undefined, locale: Locale, code: string): string | undefined =>
  files && messageOf(files, locale, code);

/**
 * The sentence of a finding in a language: from the profile if it has one in that language, else from the messages of the
 * check, in the plural form for its number; a length that is negative or shown as 0 counts as 0. Lengths are shown in
 * `unit`, text sizes and line widths in points. A placeholder without a value becomes empty text.
 */
export function findingSentence(finding: Finding, locale: Locale, audience: Audience, unit: Unit): string {
  const [owner, rule] = finding.ruleKey.split('.') as [string, string | undefined];
  const files = owner === 'Preflight' ? frameMessages : messagesFor(owner);
  const template =
    finding.texts?.[audience]?.[locale] ||
    (files && messageOf(files, locale, `rules.${rule}.${audience}`, numbersOf(finding, locale, unit)));
  if (!template) return finding.ruleKey;
  const values: Record<string, string> = {};
  const named = template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format: string | undefined) => {
    const slot = format ? `${name}_${format}` : name;
    values[slot] = valueText(finding, name, format, locale, unit);
    return `{${slot}}`;
  });
  return fillIn(named, values)
    .replace(/\s+([.,)])(?=\s|$)/g, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** What a rule is called: `Fonts.notEmbedded` is "Font not embedded"; the key itself of a rule that this release does not have. */
export function ruleLabel(ruleKey: string, locale: Locale): string {
  const [owner = '', rule] = ruleKey.split('.');
  const files = owner === 'Preflight' ? frameMessages : messagesFor(owner);
  return lookUp(files, locale, `rules.${rule}.label`) ?? ruleKey;
}

/** The smallest whole number above a limit that must be exceeded: of "more than 149 ppi", the 150 ppi that people know. */
const needed = ({ limit }: Finding): Measure | undefined =>
  typeof limit?.value === 'number' ? { ...limit, value: Math.floor(limit.value) + 1 } : undefined;

/** The numbers of a finding by placeholder, by which a plural form is chosen. */
const numbersOf = (finding: Finding, locale: Locale, unit: Unit): Record<string, unknown> => ({
  count: finding.count,
  ...finding.params,
  measured: isNone(finding.measured, locale, unit) ? 0 : finding.measured?.value,
  limit: finding.limit?.value,
});

/** Whether a length is negative or shown as 0. */
const isNone = (measure: Measure | undefined, locale: Locale, unit: Unit): boolean =>
  measure?.unit === 'pt' &&
  typeof measure.value === 'number' &&
  (measure.value < 0 || measureText(measure, locale, unit) === measureText({ ...measure, value: 0 }, locale, unit));

/** A length without its sign. */
const unsigned = (measure: Measure): Measure =>
  typeof measure.value === 'number' ? { ...measure, value: Math.abs(measure.value) } : measure;

function valueText(finding: Finding, name: string, format: string | undefined, locale: Locale, unit: Unit): string {
  if (name === 'measured' || name === 'limit' || name === 'needed') {
    const measure = name === 'needed' ? needed(finding) : finding[name];
    return measure
      ? measureText(format === 'distance' ? unsigned(measure) : measure, locale, unit, format === 'pt')
      : '';
  }
  if (name === 'check') return checkLabel(String(finding.params.check ?? finding.checkKey), locale);
  if (name === 'side')
    return finding.side ? (lookUp(frameMessages, locale, `side.${finding.side}`) ?? finding.side) : '';
  if (name === 'name') return finding.resourceName ?? '';
  if (name === 'count') return String(finding.params.count ?? finding.count);
  const wordOf = <T>(value: T): T | string =>
    (typeof value === 'string' ? lookUp(frameMessages, locale, `words.${value}`) : undefined) ?? value;
  const value = finding.params[name];
  if (format === 'quoted') return quoted(value, locale);
  return paramText(Array.isArray(value) ? value.map(wordOf) : wordOf(value), format, locale, unit);
}

/** Text of the page, in the quotation marks of the language; nothing where there is none. */
const quoted = (text: unknown, locale: Locale): string =>
  typeof text === 'string' && text !== '' ? fillIn(lookUp(frameMessages, locale, 'quoted') ?? '{text}', { text }) : '';

/** The label of a check in a language; the key itself for an unknown check. */
export function checkLabel(checkKey: string, locale: Locale): string {
  if (checkKey === 'BoxPolicy') return lookUp(frameMessages, locale, 'boxPolicy.label') ?? checkKey;
  return lookUp(messagesFor(checkKey), locale, 'label') ?? checkKey;
}
