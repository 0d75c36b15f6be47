/** Describes the settings of an action for people who write profiles by hand: names, defaults and allowed values. */
import { type Locale, messageOf, type Unit } from '@pdf2press/contract';
import { describeSettings, labelsIn, type SettingDescription } from '@pdf2press/settings';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import { fixActionLabel } from '../log/sentences.ts';

export interface FixDescription {
  key: FixKey;
  label: string;
  help: string;
  parameters: SettingDescription[];
}

/**
 * Describes an action.
 * @param locale language of labels and help
 * @param unit unit of lengths
 */
export function describeFix(key: FixKey, locale: Locale, unit: Unit): FixDescription {
  const { settings, messages } = fixContracts[key];
  return {
    key,
    label: fixActionLabel(key, locale),
    help: messageOf(messages, locale, 'help') ?? '',
    parameters: describeSettings(settings, { initial: settings.parse({}), unit, labelOf: labelsIn(messages, locale) }),
  };
}
