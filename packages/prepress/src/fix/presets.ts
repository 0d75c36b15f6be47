/** Fix profiles to start from or to use as they are; their names and texts are in the message files, `presets.<key>`. */
import type { Locale } from '@pdf2press/contract';
import { mm } from '../checks/fields.ts';
import type { FixKey } from '../fixes/contracts.ts';
import { messages } from './messages.ts';
import { type FixProfile, fixProfileSchema } from './profile.ts';

export interface FixPreset {
  readonly key: string;
  readonly version: number;
  readonly profile: FixProfile;
}

interface Action {
  readonly key: FixKey;
  readonly settings?: object;
}
const always = { is: 'Always' } as const;
/** What was asked for by the profile's name happens, whether or not a preflight called for it. */
const asked = (...actions: readonly Action[]): readonly Action[] =>
  actions.map((action) => ({ ...action, when: always }));

const bleed = { left: mm(3), right: mm(3), top: mm(3), bottom: mm(3) };
const coated = 'fogra39l-coated';
const toCmyk = { key: 'ColorspaceTransformation', settings: { destinationProfile: coated } } as const;
const withoutExtras = { key: 'RemoveObjects' } as const;
const pureBlack = { key: 'RichBlack', settings: { direction: 'ToK' } } as const;

const table: Readonly<Record<string, readonly Action[]>> = {
  // As preflight calls for it: a clean file passes untouched.
  'press-ready': [
    { key: 'SetPageBoxes' },
    withoutExtras,
    toCmyk,
    pureBlack,
    { key: 'ThickenLines' },
    { key: 'Overprint' },
    { key: 'ImageResolution' },
    { key: 'AddBleeds', settings: { amount: bleed } },
  ],
  'cmyk-coated': asked(toCmyk),
  'bleed-3mm': asked({ key: 'SetPageBoxes' }, { key: 'AddBleeds', settings: { amount: bleed } }),
  'trim-marks': asked({ key: 'AddTrimMarks', settings: { marks: ['crop', 'registration', 'slug'] } }),
  'outline-fonts': asked({ key: 'FontsOutline' }),
  'black-overprint': asked(pureBlack, { key: 'Overprint' }),
  'smaller-images': asked({ key: 'ImageResolution' }),
  'flatten-transparency': asked({ key: 'FlatteningTransparencies' }),
  'pdfx-4': asked(withoutExtras, toCmyk, { key: 'ConvertToPdfX', settings: { standard: 'PDF/X-4', profile: coated } }),
  'pdfx-1a': asked(
    withoutExtras,
    { key: 'FlattenLayers' },
    toCmyk,
    { key: 'FlatteningTransparencies' },
    { key: 'ConvertToPdfX', settings: { standard: 'PDF/X-1a:2003', profile: coated } },
  ),
  picture: asked({ key: 'ImagesToPdf' }),
};

export const fixPresets: readonly FixPreset[] = Object.entries(table).map(([key, actions]) => ({
  key,
  version: 1,
  profile: fixProfileSchema.parse({ actions: [...actions] }),
}));

export const fixPresetOf = (key: string): FixPreset | undefined => fixPresets.find((preset) => preset.key === key);

/** Its name and what it is for. */
export function fixPresetWords(key: string, locale: Locale): { name: string; text: string } {
  const say = (code: string): string => messages[locale][code] ?? messages.en[code] ?? key;
  return { name: say(`presets.${key}`), text: say(`presets.${key}.text`) };
}
