import { z } from 'zod';
import { choiceField, countField, flagField, groupField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const ppi = (initial: number, max: number) => z.number().min(1).max(max).default(initial).meta({ unit: 'ppi' });

/** Images with more pixels than any press shows lose them. Never upwards: pixels cannot be invented. */
export const imageResolution = defineFix({
  key: 'ImageResolution',
  version: 1,
  group: 'images',
  messages,
  order: 90,
  checks: ['ImageResolution'],
  mayChange: ['images'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    colourGray: groupField({ above: ppi(450, 9600), to: ppi(300, 9600) }),
    oneBit: groupField({ above: ppi(3600, 9600), to: ppi(1200, 9600) }),
    method: choiceField('Bicubic', ['Bicubic', 'Average']),
    compression: choiceField('Keep', ['Keep', 'JPEG', 'Flate']),
    oneBitCompression: choiceField('Keep', ['Keep', 'CCITT', 'Flate']),
    jpegQuality: z.number().int().min(1).max(100).default(85).meta({ unit: 'count' }),
    skipIfResultLarger: flagField(true),
    ignoreSmallerThanPx: countField(16, { max: 10_000 }),
  }),
});
