/** Findings as sentences, for the customer and for the operator. */
import {
  type Finding,
  fillIn,
  formatBytes,
  formatLength,
  type Locale,
  type Measure,
  type MessageFiles,
  type Unit,
} from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '../checks/contracts.ts';
import { messages as frameMessages } from './messages.ts';

export type Audience = 'customer' | 'operator';

const localeTags: Record<Locale, string> = {
  en: 'en',
  zh: 'zh',
  fr: 'fr',
  es: 'es',
  pt: 'pt',
  'it-IT': 'it',
};

const numberText = (value: number, locale: Locale, digits = 2): string =>
  new Intl.NumberFormat(localeTags[locale], {
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
    if (measure.unit === 'pt')
      return asPoints ? `${numberText(each, locale, 3)} pt` : formatLength(each, unit, localeTags[locale]);
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
  if (format === 'length') return formatLength(value, unit, localeTags[locale]);
  if (format === 'pt') return `${numberText(value, locale)} pt`;
  return numberText(value, locale);
}

const messagesFor = (checkKey: string): MessageFiles | undefined =>
  Object.hasOwn(checkContracts, checkKey) ? checkContracts[checkKey as CheckKey].messages : undefined;

const lookUp = (files: MessageFiles | undefined, locale: Locale, code: string): string | undefined =>
  files ? (files[locale][code] ?? files.en[code]) : undefined;

/**
 * The sentence of a finding in a language: from the profile if it has one in that language, else from the messages of the
 * check; for a length that is shown as 0 or is negative, the message with the suffix `.none` if there is one. Lengths are
 * shown in `unit`, text sizes and line widths in points. `{count|page|pages}` in a message chooses the singular or plural by
 * the number; a placeholder without a value becomes empty text.
 */
export function findingSentence(finding: Finding, locale: Locale, audience: Audience, unit: Unit): string {
  const [owner, rule] = finding.ruleKey.split('.') as [string, string | undefined];
  const isFrame = owner === 'Preflight';
  const files = isFrame ? frameMessages : messagesFor(owner);
  const code = `rules.${rule}.${audience}`;
  const template =
    finding.texts?.[audience]?.[locale] ||
    (isNone(finding.measured, locale, unit) && lookUp(files, locale, `${code}.none`)) ||
    lookUp(files, locale, code);
  if (!template) return finding.ruleKey;
  const values: Record<string, string> = {};
  const worded = template.replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, other: string) =>
    pluralOf(numberOf(finding, name), locale) === 'one' ? one : other,
  );
  const named = worded.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format: string | undefined) => {
    const slot = format ? `${name}_${format}` : name;
    values[slot] = valueText(finding, name, format, locale, unit);
    return `{${slot}}`;
  });
  return fillIn(named, values)
    .replace(/\s+([.,)])(?=\s|$)/g, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Whether a length is negative or shown as 0. */
const isNone = (measure: Measure | undefined, locale: Locale, unit: Unit): boolean =>
  measure?.unit === 'pt' &&
  typeof measure.value === 'number' &&
  (measure.value < 0 || measureText(measure, locale, unit) === measureText({ ...measure, value: 0 }, locale, unit));

/** A length without its sign. */
const unsigned = (measure: Measure): Measure =>
  typeof measure.value === 'number' ? { ...measure, value: Math.abs(measure.value) } : measure;

const pluralOf = (value: number, locale: Locale): Intl.LDMLPluralRule =>
  new Intl.PluralRules(localeTags[locale]).select(value);

/** The number of a placeholder such as `{count|page|pages}`. */
function numberOf(finding: Finding, name: string): number {
  if (name === 'count') return Number(finding.params.count ?? finding.count);
  return Number(name === 'measured' || name === 'limit' ? finding[name]?.value : finding.params[name]);
}

function valueText(finding: Finding, name: string, format: string | undefined, locale: Locale, unit: Unit): string {
  if (name === 'measured' || name === 'limit') {
    const measure = finding[name];
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
  return paramText(Array.isArray(value) ? value.map(wordOf) : wordOf(value), format, locale, unit);
}

/** The label of a check in a language; the key itself for an unknown check. */
export function checkLabel(checkKey: string, locale: Locale): string {
  if (checkKey === 'BoxPolicy') return lookUp(frameMessages, locale, 'boxPolicy.label') ?? checkKey;
  return lookUp(messagesFor(checkKey), locale, 'label') ?? checkKey;
}
