/** Findings as sentences, for the person who sent the file and for the person who prints it. */
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

/** A measured value or a limit for reading: lengths in the reader's unit, 4 numbers as ranges, 2 as width × height. */
export function measureText(measure: Measure, locale: Locale, unit: Unit, asPoints = false): string {
  const { value } = measure;
  const one = (exact: number): string => {
    // What rounds to nothing is nothing: never '-0 mm'.
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

/** A parameter for reading; `{name:length}` in a sentence shows points in the reader's unit, `{name:pt}` as points. */
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
 * The sentence for a finding in a language: the profile’s own where it has one in that language, else the rule’s.
 * Lengths are shown in `unit`; text sizes and line widths stay in points, as the trade speaks of them. A word that goes
 * with a number is written in both forms: `{count|page|pages}`.
 */
export function findingSentence(finding: Finding, locale: Locale, audience: Audience, unit: Unit): string {
  const [owner, rule] = finding.ruleKey.split('.') as [string, string | undefined];
  const isFrame = owner === 'Preflight';
  const template =
    finding.texts?.[audience]?.[locale] ||
    lookUp(isFrame ? frameMessages : messagesFor(owner), locale, `rules.${rule}.${audience}`);
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

const pluralOf = (value: number, locale: Locale): Intl.LDMLPluralRule =>
  new Intl.PluralRules(localeTags[locale]).select(value);

/** The number that `{count|page|pages}` asks about. */
function numberOf(finding: Finding, name: string): number {
  if (name === 'count') return Number(finding.params.count ?? finding.count);
  return Number(name === 'measured' || name === 'limit' ? finding[name]?.value : finding.params[name]);
}

function valueText(finding: Finding, name: string, format: string | undefined, locale: Locale, unit: Unit): string {
  if (name === 'measured' || name === 'limit') {
    const measure = finding[name];
    return measure ? measureText(measure, locale, unit, format === 'pt') : '';
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

/** A check's name in a language. */
export function checkLabel(checkKey: string, locale: Locale): string {
  if (checkKey === 'BoxPolicy') return lookUp(frameMessages, locale, 'boxPolicy.label') ?? checkKey;
  return lookUp(messagesFor(checkKey), locale, 'label') ?? checkKey;
}
