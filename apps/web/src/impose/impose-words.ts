import { type ImposeLayout, nearestLocale } from '@pdf2press/contract';
import { imposeMessages, layoutMessages, type MarkKey, markMessages } from '@pdf2press/impose/contracts';
import type { SettingsWords } from '@pdf2press/ui';
import type { TFunction } from 'i18next';

const isMark = (name: string): name is MarkKey => Object.hasOwn(markMessages, name);

/** Label and help of a layout. */
export function layoutWords(type: ImposeLayout, language: string): { name: string; about: string } {
  const files = layoutMessages[type];
  const say = (code: string) => files[nearestLocale(language)][code] ?? files.en[code] ?? '';
  return { name: say('label'), about: say('help') };
}

/** Texts of the settings of an imposition profile: those of the layout, of all layouts, and of the marks. */
export function imposeWords(type: ImposeLayout, language: string, t: TFunction): SettingsWords {
  const locale = nearestLocale(language);
  const say = (code: string) => layoutMessages[type][locale][code] ?? imposeMessages[locale][code];
  const ofMark = (path: string) => {
    const [, mark = '', ...rest] = path.split('.');
    if (!isMark(mark)) return undefined;
    const files = markMessages[mark];
    return rest.length === 0 ? files[locale].label : files[locale][`field.${rest.join('.')}`];
  };
  return {
    label: (path) =>
      (path.startsWith('marks.') ? ofMark(path) : undefined) ?? say(`field.${path}`) ?? t(`impose.group.${path}`),
    help: (path) => {
      const [area, mark = '', ...rest] = path.split('.');
      return area === 'marks' && rest.length === 0 && isMark(mark) ? markMessages[mark][locale].help : undefined;
    },
    option: (_path, value) => t(`impose.option.${value}`, { defaultValue: value }),
  };
}
