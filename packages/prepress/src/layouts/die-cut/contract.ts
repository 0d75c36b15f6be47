import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { attachment } from '../attachment.ts';
import { gridSettings, length } from '../settings.ts';
import { word } from '../word.ts';

export const dieCutSettingsSchema = z.object({
  ...gridSettings,
  die: z
    .object({
      /** Trim: the page's own trim is the die. Artwork: a line in a technical ink on the page. File: a die by itself. */
      source: word(['Trim', 'Artwork', 'File']).default('Trim'),
      /** The die as PDF or as a design program's drawing, or a whole die sheet. */
      file: attachment(['.pdf', '.dxf', '.cf2', '.cff2', '.dds', '.ddes']),
      /** Inks that draw the die, `*` for any letters. */
      lineNames: z
        .preprocess(
          (value) => (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value),
          z.array(z.string().min(1).max(100)).min(1).max(50),
        )
        .default(['*cut*', '*die*', '*stanz*', '*kiss*']),
      /** How far the artwork's die may lie from the station's. */
      snapTolerance: length('0.5mm', { max: 100 }),
      /** What of the page is put on the middle of its station. */
      placeBy: word(['DieCentre', 'TrimCentre', 'ArtBox']).default('DieCentre'),
      onOutput: word(['TechnicalLayer', 'SeparateFile', 'Both', 'None']).default('TechnicalLayer'),
    })
    .prefault({}),
  stations: z
    .object({
      /** DieSheet: the die file is the whole sheet, its outlines are the stations. */
      source: word(['Nesting', 'DieSheet']).default('Nesting'),
      nesting: word(['Grid', 'BrickHalfDrop', 'InterlockRotate180', 'TrueShape']).default('Grid'),
      gap: length('4mm'),
      /** Ink beyond the die; never more than half the gap. */
      bleedBeyondDie: length('2mm', { max: 300 }),
      /** DieBleed: ink ends at the outline and its bleed. Cell: at the box around them; true shapes always at the outline. */
      clipTo: word(['DieBleed', 'Cell']).default('DieBleed'),
      /** Cells that stay empty, by station number. */
      leaveOut: z
        .preprocess(
          (value) => (typeof value === 'string' ? value.split(',').filter(Boolean).map(Number) : value),
          z.array(z.number().int().min(1)),
        )
        .default([]),
      /** Direction of the grain on the sheet, and what each piece asks; a mismatch refuses turned pieces. */
      grain: word(['Any', 'AlongWidth', 'AlongHeight']).default('Any'),
      /** Pieces dealt to stations in turn, or each kind on its own sheet. */
      order: word(['StepNRepeat', 'List']).default('StepNRepeat'),
    })
    .prefault({}),
  marks: marksSchema,
});
export type DieCutSettings = z.output<typeof dieCutSettingsSchema>;
