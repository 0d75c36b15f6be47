import { nearestLocale } from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '@pdf2press/prepress/contracts';
import type { SettingsWords } from '@pdf2press/ui';

/** `minWidth` → `Min width`: what stands where a setting has no word yet. */
const humanised = (path: string): string => {
  const words = (path.split('.').at(-1) ?? path).replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export interface CheckWords extends SettingsWords {
  name: string;
  about: string | undefined;
  rule: (rule: string) => string;
}

/** A check's words in a language, from the check's own message files. */
export function checkWords(key: CheckKey, language: string): CheckWords {
  const files = checkContracts[key].messages;
  const say = (code: string): string | undefined => files[nearestLocale(language)][code] ?? files.en[code];
  return {
    name: say('label') ?? key,
    about: say('help'),
    label: (path) => say(`settings.${path}.label`) ?? humanised(path),
    help: (path) => say(`settings.${path}.help`),
    option: (path, value) =>
      say(`settings.${path}.${value}`) ?? say(`settings.${path}.option.${value}`) ?? humanised(value),
    rule: (rule) => say(`rules.${rule}.label`) ?? humanised(rule),
  };
}
