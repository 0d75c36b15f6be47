import {
  contractMessages,
  type ImposeLayout,
  type Locale,
  type MessageFiles,
  type PlanProblem,
  sentence,
  type Unit,
} from '@pdf2press/contract';
import { type MarkKey, marks } from '../marks/marks.ts';
import { layouts } from './layouts.ts';
import { messages } from './messages.ts';
import { ownSentence } from './own-sentence.ts';

const messagesOf = <K extends string>(
  kinds: Readonly<Record<K, { messages: MessageFiles }>>,
): Record<K, MessageFiles> =>
  Object.fromEntries(
    Object.entries<{ messages: MessageFiles }>(kinds).map(([key, kind]) => [key, kind.messages]),
  ) as Record<K, MessageFiles>;

/**
 * Messages of each layout, by locale: `label`, `help` and `field.<setting>`. Shared settings are in `imposeMessages`.
 */
export const layoutMessages = messagesOf<ImposeLayout>(layouts);

/** Messages of each mark, by its key in a profile and locale: `label`, `help` and `field.<setting>`. */
export const markMessages = messagesOf<MarkKey>(marks);

/** Messages by locale: sentences by problem code, and `field.<setting>` for settings of every layout. */
export const imposeMessages = messages;

/**
 * A problem as a sentence, its lengths in `unit`. The messages of placeholders and expressions are in the contract, because
 * all packages use them.
 */
export const problemSentence = (problem: PlanProblem, locale: Locale, unit: Unit): string =>
  ownSentence(problem, locale, unit) ?? sentence(contractMessages, locale, problem.code, problem.params).trim();

/** The label of a setting: of a mark, of every layout, or of one layout; else its path. */
export function settingLabel(field: string, locale: Locale): string {
  const [area, mark = '', ...rest] = field.split('.');
  const ofMark = area === 'marks' && Object.hasOwn(markMessages, mark) ? markMessages[mark as MarkKey] : null;
  if (ofMark) return [ofMark[locale].label, ofMark[locale][`field.${rest.join('.')}`]].filter(Boolean).join(', ');
  const files = [messages, ...Object.values(layoutMessages)];
  return files.map((file) => file[locale][`field.${field}`]).find(Boolean) ?? field;
}

/**
 * Why an imposition step made no sheets, as `<label of the setting>: <problem>`, lengths in `unit`. `fault` holds the
 * step's fault parameters: `problem` (the code), `field` and the parameters of the problem.
 */
export function refusalSentence(fault: Readonly<Record<string, unknown>>, locale: Locale, unit: Unit): string {
  const { problem, field, ...rest } = fault;
  const params = Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  );
  const said = problemSentence({ code: String(problem), severity: 'Fail', field: String(field), params }, locale, unit);
  return `${settingLabel(String(field), locale)}: ${said}`;
}
