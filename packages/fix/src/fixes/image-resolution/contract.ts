import type { Respelling } from '@pdf2press/settings';
import { choiceField, countField, flagField, groupField, onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const ppi = (initial: number, max: number) => z.number().min(1).max(max).default(initial).meta({ unit: 'ppi' });

/** `compression` accepts the codings of all kinds of images and sets the matching setting. */
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

/** Reduces images with more resolution than needed; never enlarges. */
export const imageResolution = defineFix({
  key: 'ImageResolution',
  version: 1,
  respelling,
  group: 'images',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
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
