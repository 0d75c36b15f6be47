import { onlyWhen, word } from '@pdf2press/settings';
import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { gridSettings, length, sheetSettings } from '../../sheet/settings.ts';

export const leafletFolds = ['HalfFold', 'RollFold', 'ZigzagFold', 'GateFold', 'ClosedGateFold'] as const;
export type LeafletFold = (typeof leafletFolds)[number];

export const leafletSettingsSchema = z.object({
  ...sheetSettings,
  fold: word(leafletFolds, { letter: 'RollFold', z: 'ZigzagFold', accordion: 'ZigzagFold' }).default('RollFold'),
  /** Panels side by side; each has a page on its front and one on its back. */
  panels: onlyWhen({ fold: ['RollFold', 'ZigzagFold'] }, z.coerce.number().int().min(3).max(8).default(3)),
  /** How much a panel that is folded inside is shorter than the one around it. */
  shorter: onlyWhen({ fold: ['RollFold', 'GateFold', 'ClosedGateFold'] }, length('2mm', { max: 300 })),
  /**
   * AsSpread: the cover, the inside from left to right, the rest of the outside from left to right. AsRead: panel by
   * panel as the folded leaflet is leafed through, each with its front and its back.
   */
  pageOrder: word(['AsSpread', 'AsRead']).default('AsSpread'),
  rows: gridSettings.rows,
  columns: gridSettings.columns,
  gutterH: gridSettings.gutterH,
  gutterV: gridSettings.gutterV,
  workStyle: word(['Sheetwise', 'Perfecting']).default('Sheetwise'),
  marks: marksSchema,
});
export type LeafletSettings = z.output<typeof leafletSettingsSchema>;
