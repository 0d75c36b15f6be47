/** Describes the settings of a layout for people who write profiles by hand. */
import { type ImposeLayout, type Locale, messageOf, type Unit } from '@pdf2press/contract';
import { describeSettings, type SettingDescription } from '@pdf2press/settings';
import { layouts } from '../layouts/layouts.ts';
import { settingLabel } from '../layouts/say.ts';
import { profileSchemaOf } from './profile.ts';

export interface LayoutDescription {
  key: ImposeLayout;
  label: string;
  help: string;
  parameters: SettingDescription[];
}

/** What every profile has beside its settings. */
const frame = new Set(['type', 'settingsVersion', 'variables']);

/**
 * Describes a layout.
 * @param locale language of labels and help
 * @param unit unit of lengths
 */
export function describeLayout(key: ImposeLayout, locale: Locale, unit: Unit): LayoutDescription {
  const schema = profileSchemaOf(key);
  const labelOf = (path: readonly string[]): string => {
    const name = path.join('.');
    return messageOf(layouts[key].messages, locale, `field.${name}`) ?? settingLabel(name, locale);
  };
  const parameters = describeSettings(schema, { initial: schema.parse({ type: key }), unit, labelOf });
  return {
    key,
    label: messageOf(layouts[key].messages, locale, 'label') ?? key,
    help: messageOf(layouts[key].messages, locale, 'help') ?? '',
    parameters: parameters.filter(({ name }) => !frame.has(name)),
  };
}
