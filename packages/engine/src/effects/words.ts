import { fillIn, type Locale } from '@pdf2press/contract';
import { effectContracts, isEffectKind } from './catalogue.ts';
import type { EffectWords } from './effect.ts';

/** Text of a notification `<kind>.dead` in a language; undefined when the notification is not about an effect. */
export function deathOf(
  locale: Locale,
  code: string,
  params: Readonly<Record<string, unknown>>,
): EffectWords | undefined {
  const kind = code.replace(/[.]dead$/, '');
  if (kind === code || !isEffectKind(kind)) return undefined;
  const { title, whatToDo } = effectContracts[kind].words[locale];
  return { title: fillIn(title, params), whatToDo: fillIn(whatToDo, params) };
}
