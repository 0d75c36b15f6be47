import { choiceField, flagField, onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const dpi = (initial: number) => z.number().int().min(72).max(2400).default(initial).meta({ unit: 'dpi' });

/** Flattens transparency: opaque objects stay as they are, transparent regions become images of all inks. */
export const flatteningTransparencies = defineFix({
  key: 'FlatteningTransparencies',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 80,
  checks: ['Transparency', 'PdfX'],
  mayChange: ['images', 'fonts', 'text', 'inks', 'overprint', 'overprintColours', 'layers'],
  // Only for another blend space: otherwise regions are logged as looking the same.
  mayLookDifferent: 'whereLogged',
  redrawsEdges: true,
  isJudgedByPlates: true,
  settings: z.strictObject({
    mode: choiceField('VectorWherePossible', ['VectorWherePossible', 'RasterRegions', 'RasterPage']),
    lineArtDpi: dpi(1200),
    gradientDpi: dpi(300),
    imageDpi: dpi(300),
    blendSpace: choiceField('PageGroup', ['PageGroup', 'OutputIntent']),
    /** Opaque text above transparent objects stays text, above the image. */
    preserveText: onlyWhen({ mode: ['VectorWherePossible', 'RasterRegions'] }, flagField(true)),
    preserveSpots: flagField(true),
    preserveOverprint: choiceField('Keep', ['Keep', 'Simulate']),
    removeUnneededGroups: flagField(true),
  }),
});
