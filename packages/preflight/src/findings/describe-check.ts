/** Describes the settings of a check for people who write profiles by hand. */
import { type Locale, messageOf, type Unit } from '@pdf2press/contract';
import { describeSettings, labelsIn, type SettingDescription } from '@pdf2press/settings';
import { type CheckKey, checkContracts } from '../checks/contracts.ts';
import { checkLabel } from './finding-sentence.ts';

export interface CheckDescription {
  key: CheckKey;
  label: string;
  help: string;
  parameters: SettingDescription[];
}

/**
 * Describes a check.
 * @param locale language of labels and help
 * @param unit unit of lengths
 */
export function describeCheck(key: CheckKey, locale: Locale, unit: Unit): CheckDescription {
  const { settings, messages } = checkContracts[key];
  return {
    key,
    label: checkLabel(key, locale),
    help: messageOf(messages, locale, 'help') ?? '',
    parameters: describeSettings(settings, { initial: settings.parse({}), unit, labelOf: labelsIn(messages, locale) }),
  };
}
