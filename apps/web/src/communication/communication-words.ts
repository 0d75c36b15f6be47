import { locales } from '@pdf2press/contract';
import type { SettingsWords } from '@pdf2press/ui';
import type { TFunction } from 'i18next';
import { languageNames } from '../language/language.ts';

/** The texts of a communication profile's settings, by the last name of their path. */
export const communicationWords = (t: TFunction): SettingsWords => ({
  label: (path) => t(`communication.field.${path}`),
  help: (path) => t(`communication.help.${path}`, { defaultValue: '' }) || undefined,
  option: (path, value) => {
    const locale = locales.find((one) => one === value);
    if (locale) return languageNames[locale];
    if (path === 'hooks.events' || path === 'webhooks.events' || path === 'digest.atOnce')
      return t(`messageEvent.${value}`);
    return t(`communication.option.${path}.${value}`);
  },
});
