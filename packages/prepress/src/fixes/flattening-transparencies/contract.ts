import { z } from 'zod';
import { choiceField, flagField, onlyWhen } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const dpi = (initial: number) => z.number().int().min(72).max(2400).default(initial).meta({ unit: 'dpi' });

/** Live transparency becomes opaque: what needs no picture stays as it is, the rest becomes an image of all its inks. */
export const flatteningTransparencies = defineFix({
  key: 'FlatteningTransparencies',
  version: 1,
  group: 'objects',
  messages,
  order: 80,
  checks: ['Transparency', 'PdfX'],
  mayChange: ['images', 'fonts', 'text', 'inks', 'overprint', 'overprintColours', 'layers'],
  // Only where another blend space is asked for: regions are logged as looking the same.
  mayLookDifferent: 'whereLogged',
  redrawsEdges: true,
  isJudgedByPlates: true,
  settings: z.strictObject({
    mode: choiceField('VectorWherePossible', ['VectorWherePossible', 'RasterRegions', 'RasterPage']),
    lineArtDpi: dpi(1200),
    gradientDpi: dpi(300),
    imageDpi: dpi(300),
    blendSpace: choiceField('PageGroup', ['PageGroup', 'OutputIntent']),
    /** Opaque text above the transparency stays live text, above the picture. */
    preserveText: onlyWhen({ mode: ['VectorWherePossible', 'RasterRegions'] }, flagField(true)),
    preserveSpots: flagField(true),
    preserveOverprint: choiceField('Keep', ['Keep', 'Simulate']),
    removeUnneededGroups: flagField(true),
  }),
});
