import { word } from '@pdf2press/settings';
import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { attachment } from '../../sheet/attachment.ts';
import { gridSettings, length } from '../../sheet/settings.ts';

export const dieCutSettingsSchema = z.object({
  ...gridSettings,
  die: z
    .object({
      /** Trim: the page's trim is the die. Artwork: a line in a technical ink on the page. File: the die file. */
      source: word(['Trim', 'Artwork', 'File']).default('Trim'),
      /** A single die or a die sheet, as PDF or as a CAD file. */
      file: attachment(['.pdf', '.dxf', '.cf2', '.cff2', '.dds', '.ddes']),
      /** Names of the inks, DXF layers or DDES2 rules that draw the die; `*` matches any characters. */
      lineNames: z
        .preprocess(
          (value) => (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value),
          z.array(z.string().min(1).max(100)).min(1).max(50),
        )
        .default(['*cut*', '*die*', '*stanz*', '*kiss*']),
      /** Largest allowed distance between the artwork's die and the station's die. */
      snapTolerance: length('0.5mm', { max: 100 }),
      /** What is centred on the station: the die, the trim box or the art box of the page. */
      placeBy: word(['DieCentre', 'TrimCentre', 'ArtBox']).default('DieCentre'),
      onOutput: word(['TechnicalLayer', 'SeparateFile', 'Both', 'None']).default('TechnicalLayer'),
    })
    .prefault({}),
  stations: z
    .object({
      /** DieSheet: the die file describes the whole sheet, each of its outlines is a station. */
      source: word(['Nesting', 'DieSheet']).default('Nesting'),
      nesting: word(['Grid', 'BrickHalfDrop', 'InterlockRotate180', 'TrueShape']).default('Grid'),
      gap: length('4mm'),
      /** Bleed beyond the die outline; at most half the gap. */
      bleedBeyondDie: length('2mm', { max: 300 }),
      /**
       * What artwork is clipped to. DieBleed: the outline plus bleed. Cell: the rectangle around it. TrueShape nesting
       * always uses DieBleed.
       */
      clipTo: word(['DieBleed', 'Cell']).default('DieBleed'),
      /** Numbers of stations that stay empty. */
      leaveOut: z
        .preprocess(
          (value) => (typeof value === 'string' ? value.split(',').filter(Boolean).map(Number) : value),
          z.array(z.number().int().min(1)),
        )
        .default([]),
      /** Grain direction of the board: pieces are placed upright (AlongWidth) or turned by 90° (AlongHeight) only. */
      grain: word(['Any', 'AlongWidth', 'AlongHeight']).default('Any'),
      /** StepNRepeat: one kind per sheet. List: kinds are assigned to the stations in turn. */
      order: word(['StepNRepeat', 'List']).default('StepNRepeat'),
    })
    .prefault({}),
  marks: marksSchema,
});
export type DieCutSettings = z.output<typeof dieCutSettingsSchema>;
