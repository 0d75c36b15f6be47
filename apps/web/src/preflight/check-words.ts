import { nearestLocale } from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '@pdf2press/preflight/contracts';
import type { SettingsWords } from '@pdf2press/ui';

type Say = (key: string, options: { defaultValue: string }) => string;

const boxes: ReadonlySet<string> = new Set(['Media', 'Crop', 'Bleed', 'Trim', 'Art']);
/** Parts of ISO 15930. */
const standards = /^X-\d/;
const sides: ReadonlySet<string> = new Set(['left', 'right', 'top', 'bottom']);

export interface CheckWords extends SettingsWords {
  name: string;
  about: string | undefined;
  rule: (rule: string) => string;
}

/** The texts of a check: its own messages, and those shared by many checks. Names of the PDF specification stay as they are. */
export function checkWords(key: CheckKey, language: string, t: Say): CheckWords {
  const files = checkContracts[key].messages;
  const say = (code: string): string | undefined => files[nearestLocale(language)][code] ?? files.en[code];
  const shared = (path: string): string => {
    const last = path.split('.').at(-1) ?? path;
    return sides.has(last)
      ? t(`fix.side.${last}`, { defaultValue: last })
      : t(`preflight.size.${last}`, { defaultValue: last });
  };
  return {
    name: say('label') ?? key,
    about: say('help'),
    label: (path) => say(`settings.${path}.label`) ?? shared(path),
    help: (path) => say(`settings.${path}.help`),
    option: (path, value) => {
      if (boxes.has(value)) return `${value}Box`;
      if (standards.test(value)) return `PDF/${value}`;
      const plain = t(`preflight.option.${value}`, { defaultValue: value });
      return t(`preflight.option.${key}.${path}.${value}`, { defaultValue: plain });
    },
    rule: (rule) => say(`rules.${rule}.label`) ?? rule,
  };
}
