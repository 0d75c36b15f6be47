/** Describes the settings of a check for people who write profiles by hand. */
import { type Locale, messageOf, type Unit } from '@pdf2press/contract';
import { describeSettings, type SettingDescription } from '@pdf2press/settings';
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
  const say = (code: string): string | undefined => messageOf(messages, locale, code);
  const labelOf = (path: readonly string[]): string =>
    path.flatMap((_, at) => say(`settings.${path.slice(0, at + 1).join('.')}.label`) ?? []).join(' › ');
  return {
    key,
    label: checkLabel(key, locale),
    help: say('help') ?? '',
    parameters: describeSettings(settings, { initial: settings.parse({}), unit, labelOf }),
  };
}
