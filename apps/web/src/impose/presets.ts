import { type ImposeLayout, toPoints } from '@pdf2press/contract';
import { namedSheets } from '@pdf2press/impose/contracts';
import { freshSettings, type Settings } from './impose-settings.ts';

/** Complete settings to begin with, by the name in the messages. */
interface Preset {
  layout: ImposeLayout;
  sheet: string;
}

const imposePresets = {
  booklet: { layout: 'SaddleStitch', sheet: 'SRA3' },
  perfectBound: { layout: 'PerfectBound', sheet: 'SRA3' },
  cards: { layout: 'StepNRepeat', sheet: 'SRA3' },
  flyers: { layout: 'StepNRepeat', sheet: 'SRA2' },
} as const satisfies Record<string, Preset>;
type ImposePreset = keyof typeof imposePresets;
export const imposePresetNames = Object.keys(imposePresets) as ImposePreset[];

/** The settings of a preset: its layout with its defaults, on its sheet. */
export function presetSettings(name: ImposePreset): Settings {
  const { layout, sheet } = imposePresets[name];
  const fresh = freshSettings(layout);
  const size = namedSheets[sheet];
  if (!size) return fresh;
  const [width, height] = size.map((length) => toPoints(length, 'Millimeters'));
  return { ...fresh, sheet: { ...(fresh.sheet as object), name: sheet, width, height } };
}
