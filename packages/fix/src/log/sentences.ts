/** Describes what a fix did in sentences of the reader's language. */
import {
  contractMessages,
  type ErrorParams,
  type FixChange,
  type FixGate,
  type FixReason,
  type FixReport,
  fillIn,
  formatNumber,
  fromPoints,
  type Locale,
  type MessageFiles,
  messageOf,
  sentence,
  type Unit,
  unitSymbols,
} from '@pdf2press/contract';
import { isFileFault } from '@pdf2press/contract/faults';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import { loggedValue } from './logged-value.ts';
import { messages as frame } from './messages.ts';

const filesOf = (action: string): readonly MessageFiles[] =>
  Object.hasOwn(fixContracts, action) ? [fixContracts[action as FixKey].messages, frame] : [frame];

type Params = Readonly<Record<string, unknown>>;

/** Message of the action, else the common one, in the plural form for its number. */
function textOf(action: string, code: string, locale: Locale, params: Params = {}): string | undefined {
  for (const files of filesOf(action)) {
    const text = messageOf(files, locale, code, params);
    if (text !== undefined) return text;
  }
  return undefined;
}

interface Reader {
  action: string;
  locale: Locale;
  unit: Unit | null;
}

/** Parameters that are lengths in points, as `unit: 'pt'` says. */
const isInPoints = (params: Params, name: string): boolean =>
  params.unit === 'pt' && (name === 'before' || name === 'after');

function words(params: Params, { action, locale, unit }: Reader): Record<string, unknown> {
  const wordOf = (code: string) => textOf(action, code, locale);
  const say = (value: unknown): unknown =>
    typeof value === 'number'
      ? formatNumber(value, 2, locale)
      : Array.isArray(value)
        ? value.map(say).join(', ')
        : typeof value === 'string'
          ? loggedValue(value, { locale, unit, wordOf })
          : value;
  const told = Object.entries(params).map(([name, value]) => [
    name,
    unit && typeof value === 'number' && isInPoints(params, name) ? fromPoints(value, unit) : value,
  ]);
  const symbol = unit && params.unit === 'pt' ? { unit: unitSymbols[unit] } : {};
  return Object.fromEntries([...told, ...Object.entries(symbol)].map(([name, value]) => [name, say(value)]));
}

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Name of an action in the reader's language; the key itself for an unknown action. */
export const fixActionLabel = (action: string, locale: Locale): string => textOf(action, 'label', locale) ?? action;

/**
 * Reason why an action was skipped, failed or warns; the code itself when there is no message for it.
 * @param unit unit for lengths; null: points as logged
 */
export function fixReasonSentence(
  action: string,
  code: string,
  params: Params,
  locale: Locale,
  unit: Unit | null = null,
): string {
  const text = textOf(action, `reasons.${code}`, locale, params);
  return text === undefined ? code : fillIn(text, words(params, { action, locale, unit }));
}

/**
 * Like `fixReasonSentence`, also for reasons of the whole profile: faults of the file use the contract's messages,
 * actions are called by their names.
 */
export function fixReasonTold(
  action: string,
  { code, params }: FixReason,
  locale: Locale,
  unit: Unit | null = null,
): string {
  if (isFileFault(code)) return sentence(contractMessages, locale, code, params as ErrorParams);
  if (code !== 'order.inverted') return fixReasonSentence(action, code, params, locale, unit);
  const label = (key: unknown) => fixActionLabel(String(key), locale);
  return fixReasonSentence(action, code, { first: label(params.first), second: label(params.second) }, locale);
}

/** Tells how the gate compared the file before and after an action. */
export function fixProofSentence({ pages }: FixGate, locale: Locale): string {
  const params = { count: pages.length };
  const code = pages.length > 0 ? 'proof.pictures' : 'proof.facts';
  return fillIn(textOf('', code, locale, params) ?? code, words(params, { action: '', locale, unit: null }));
}

/**
 * A report as lines of text: warnings, reasons and changes. When the result was discarded, one line says so instead of
 * the changes.
 */
export function fixReportLines(
  { warnings, actions, changes, out }: FixReport,
  locale: Locale,
  unit: Unit | null = null,
): string[] {
  return [
    ...warnings.map((warning) => fixReasonTold('', warning, locale, unit)),
    ...actions.flatMap(({ action, outcome, reason, warnings: own }) =>
      [
        ...(reason ? [`${outcome}: ${reason.code}: ${fixReasonTold(action, reason, locale, unit)}`] : []),
        ...own.map((warning) => fixReasonTold(action, warning, locale, unit)),
      ].map((line) => `${fixActionLabel(action, locale)}: ${line}`),
    ),
    ...(out
      ? changes.map((change) => fixChangeSentence(change, locale, unit))
      : [textOf('', 'nothingKept', locale) ?? 'nothingKept']),
  ];
}

/**
 * One change as a sentence: `Page 3: TrimBox is now … (was …)`.
 * @param unit unit for boxes and lengths; null: points of default user space, as logged
 */
export function fixChangeSentence(
  change: Pick<FixChange, 'action' | 'what' | 'page' | 'before' | 'after' | 'params' | 'count'>,
  locale: Locale,
  unit: Unit | null = null,
): string {
  const { page, count, params, before, after } = change;
  const nothing = textOf('', 'nothing', locale) ?? '';
  const values = words(
    { ...params, before: before ?? nothing, after: after ?? nothing, count, page: page ?? '' },
    { action: change.action, locale, unit },
  );
  const text = fillIn(textOf(change.action, `changes.${change.what}`, locale, params) ?? change.what, values);
  const head = page === null ? '' : fillIn(textOf('', 'onPage', locale) ?? '', values);
  const tail = count > 1 ? fillIn(textOf('', 'times', locale) ?? '', values) : '';
  return `${head}${head ? text : withCapital(text)}${tail}`;
}
