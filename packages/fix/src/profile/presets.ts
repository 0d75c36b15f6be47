/** Ready-made fix profiles. Names and descriptions are in the message files under `presets.<key>`. */
import { type Locale, messageOf } from '@pdf2press/contract';
import { mm, parseOnce } from '@pdf2press/settings';
import type { FixKey } from '../fixes/contracts.ts';
import { messages } from '../log/messages.ts';
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
/** Actions that always run, because the profile's name asks for them, whatever preflight found. */
const asked = (...actions: readonly Action[]): readonly Action[] =>
  actions.map((action) => ({ ...action, when: always }));

const bleed = { left: mm(3), right: mm(3), top: mm(3), bottom: mm(3) };
const coated = 'fogra39l-coated';
const toCmyk = { key: 'ColorspaceTransformation', settings: { destinationProfile: coated } } as const;
/** A standard demands every font: what cannot be embedded says which letters lack, and nothing is written. */
const withFonts = { key: 'EmbedFonts', settings: { otherFonts: 'Fail' } } as const;
const withoutExtras = { key: 'RemoveObjects' } as const;
const pureBlack = { key: 'RichBlack', settings: { direction: 'ToK' } } as const;

const table: Readonly<Record<string, readonly Action[]>> = {
  // Runs only the actions that preflight findings call for; a correct file is not changed.
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
  'page-numbers': asked({ key: 'AddText' }),
  'embed-fonts': asked({ key: 'EmbedFonts' }),
  'outline-fonts': asked({ key: 'FontsOutline' }),
  'black-overprint': asked(pureBlack, { key: 'Overprint' }),
  'smaller-images': asked({ key: 'ImageResolution' }),
  'flatten-transparency': asked({ key: 'FlatteningTransparencies' }),
  'pdfx-4': asked(withoutExtras, toCmyk, withFonts, {
    key: 'ConvertToPdfX',
    settings: { standard: 'PDF/X-4', profile: coated },
  }),
  'pdfx-1a': asked(
    withoutExtras,
    { key: 'FlattenLayers' },
    toCmyk,
    withFonts,
    { key: 'FlatteningTransparencies' },
    { key: 'ConvertToPdfX', settings: { standard: 'PDF/X-1a:2003', profile: coated } },
  ),
  picture: asked({ key: 'ImagesToPdf' }),
};

/** All presets, in the order in which the editor lists them. */
export const fixPresets: readonly FixPreset[] = Object.entries(table).map(([key, actions]) => ({
  key,
  version: 1,
  profile: fixProfileSchema.parse({ actions: [...actions] }, parseOnce),
}));

/** The preset of a key; undefined for an unknown key. */
export const fixPresetOf = (key: string): FixPreset | undefined => fixPresets.find((preset) => preset.key === key);

/** Name and description of a preset; the key itself for an unknown preset. */
export function fixPresetWords(key: string, locale: Locale): { name: string; text: string } {
  const say = (code: string): string => messageOf(messages, locale, code) ?? key;
  return { name: say(`presets.${key}`), text: say(`presets.${key}.text`) };
}
