import { nearestLocale } from '@pdf2press/contract';
import { type FixKey, fixContracts } from '@pdf2press/fix/contracts';
import type { SettingsWords } from '@pdf2press/ui';

type Say = (key: string, options: { defaultValue: string }) => string;

const boxes: ReadonlySet<string> = new Set(['Media', 'Crop', 'Bleed', 'Trim', 'Art']);
/** Last part of a path shared by many settings → prefix of its messages. */
const families: Readonly<Record<string, string>> = {
  left: 'side',
  right: 'side',
  top: 'side',
  bottom: 'side',
  from: 'rule',
  action: 'rule',
  to: 'rule',
};

export interface FixWords extends SettingsWords {
  name: string;
  about: string;
}

/** The texts of an action: its own messages, and those shared by many actions. Names of the PDF specification stay as they are. */
export function fixWords(key: FixKey, language: string, t: Say): FixWords {
  const files = fixContracts[key].messages;
  const say = (code: string): string | undefined => files[nearestLocale(language)][code] ?? files.en[code];
  const shared = (path: string): string => {
    const last = path.split('.').at(-1) ?? path;
    const family = families[last];
    return family && path.includes('.') ? t(`fix.${family}.${last}`, { defaultValue: last }) : last;
  };
  return {
    name: say('label') ?? key,
    about: say('help') ?? '',
    label: (path) => say(`settings.${path}.label`) ?? shared(path),
    help: (path) => say(`settings.${path}.help`),
    option: (path, value) => {
      if (boxes.has(value)) return `${value}Box`;
      const plain = t(`fix.option.${value}`, { defaultValue: value });
      return t(`fix.option.${key}.${path}.${value}`, { defaultValue: plain });
    },
  };
}
