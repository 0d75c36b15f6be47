import { z } from 'zod';
import { choiceField, countField, flagField, groupField, onlyWhen } from '../../checks/fields.ts';
import type { Respelling } from '../../fix/respell.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const ppi = (initial: number, max: number) => z.number().min(1).max(max).default(initial).meta({ unit: 'ppi' });

/** The specification (§2.3) has one list of codings for every kind of image. */
const respelling: Respelling = {
  names: Object.fromEntries(
    (
      [
        ['colourGray', ['colorGray', 'colour/gray', 'color/gray', 'colour', 'color', 'gray']],
        ['oneBit', ['1-bit', '1bit', 'bitmap']],
      ] as const
    ).flatMap(([group, names]) =>
      names.flatMap((name) => [
        [name, group],
        [`${name}.above`, `${group}.above`],
        [`${name}.to`, `${group}.to`],
      ]),
    ),
  ),
  phrases: {
    compression(text) {
      const quality = /^JPEG\s*q?\s*\(?(\d+)\)?$/i.exec(text)?.[1];
      if (quality !== undefined) return { compression: 'JPEG', jpegQuality: Number(quality) };
      return /^CCITT(\s*G4)?$/i.test(text) ? { oneBitCompression: 'CCITT' } : null;
    },
    oneBitCompression: (text) => (/^CCITT\s*G4$/i.test(text) ? { oneBitCompression: 'CCITT' } : null),
  },
};

/** Images with more pixels than any press shows lose them. Never upwards: pixels cannot be invented. */
export const imageResolution = defineFix({
  key: 'ImageResolution',
  version: 1,
  respelling,
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
    jpegQuality: onlyWhen(
      { compression: ['Keep', 'JPEG'] },
      z.number().int().min(1).max(100).default(85).meta({ unit: 'count' }),
    ),
    skipIfResultLarger: flagField(true),
    ignoreSmallerThanPx: countField(16, { max: 10_000 }),
  }),
});
