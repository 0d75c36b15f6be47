/** What a fix did, as plain sentences in the reader's language. */
import { type FixChange, fillIn, type Locale, type MessageFiles } from '@pdf2press/contract';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import { messages as frame } from './messages.ts';

const filesOf = (action: string): readonly MessageFiles[] =>
  Object.hasOwn(fixContracts, action) ? [fixContracts[action as FixKey].messages, frame] : [frame];

/** The first that knows the code, in the reader's language, else in English. */
function textOf(action: string, code: string, locale: Locale): string | undefined {
  for (const files of filesOf(action)) {
    const text = files[locale][code] ?? files.en[code];
    if (text !== undefined) return text;
  }
  return undefined;
}

function words(params: Readonly<Record<string, unknown>>, locale: Locale): Record<string, unknown> {
  const number = new Intl.NumberFormat(locale === 'it-IT' ? 'it' : locale, { maximumFractionDigits: 2 });
  const text = (value: unknown): unknown =>
    typeof value === 'number' ? number.format(value) : Array.isArray(value) ? value.map(text).join(', ') : value;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, text(value)]));
}

export const fixActionLabel = (action: string, locale: Locale): string => textOf(action, 'label', locale) ?? action;

/** Why an action was skipped, failed or warns. */
export function fixReasonSentence(
  action: string,
  code: string,
  params: Readonly<Record<string, unknown>>,
  locale: Locale,
): string {
  const text = textOf(action, `reasons.${code}`, locale);
  return text === undefined ? code : fillIn(text, words(params, locale));
}

/** One line of the change log: `Page 3: the TrimBox was set to … (before: …)`. */
export function fixChangeSentence(
  change: Pick<FixChange, 'action' | 'what' | 'page' | 'before' | 'after' | 'params' | 'count'>,
  locale: Locale,
): string {
  const { before, after, page, count, params } = change;
  const nothing = textOf('', 'nothing', locale) ?? '';
  const values = words(
    { ...params, before: before ?? nothing, after: after ?? nothing, count, page: page ?? '' },
    locale,
  );
  const text = fillIn(textOf(change.action, `changes.${change.what}`, locale) ?? change.what, values);
  const head = page === null ? '' : fillIn(textOf('', 'onPage', locale) ?? '', values);
  const tail = count > 1 ? fillIn(textOf('', 'times', locale) ?? '', values) : '';
  return `${head}${text}${tail}`;
}
