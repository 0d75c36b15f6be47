import { locales } from '@pdf2press/contract';
import type { SettingsWords } from '@pdf2press/ui';
import type { TFunction } from 'i18next';
import { languageNames } from '../language/language.ts';

/** The texts of a proof profile's settings, by their paths. */
export const proofingWords = (t: TFunction): SettingsWords => ({
  label: (path) => t(`proofing.field.${path}`),
  help: (path) => t(`proofing.help.${path}`, { defaultValue: '' }) || undefined,
  option: (path, value) => {
    const locale = locales.find((one) => one === value);
    return locale ? languageNames[locale] : t(`proofing.option.${path}.${value}`);
  },
});
