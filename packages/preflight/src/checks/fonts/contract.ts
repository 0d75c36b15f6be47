import { choiceField, countField, flagField, groupField, namesField, onlyWhen, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** `Type2` is a CFF font, which consists of Type 2 charstrings; PDF has no font type of that name. */
export const allowableFontTypes = ['Type0', 'Type1', 'Type2', 'TrueType', 'OpenType', 'Type3'] as const;

const size = { max: 1000 };

/** Version 1 had `{ allow: [] }` or `{ deny: [] }` instead of one list with a policy. */
function listOf(names: unknown): unknown {
  if (typeof names !== 'object' || names === null || Array.isArray(names)) return names;
  const { allow, deny, ...others } = names as Record<string, unknown>;
  if (allow !== undefined) return { policy: 'AllowOnly', list: allow, ...others };
  return deny === undefined ? names : { policy: 'Disallow', list: deny, ...others };
}

export const fonts = defineCheck({
  key: 'Fonts',
  version: 2,
  group: 'text',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  renamed: {
    onlyUsed: 'onlyUsedGlyphs',
    courier: 'courierSubstitution',
    'minSize.warn': 'minSize.warnBelow',
    'minSize.fail': 'minSize.failBelow',
  },
  upgrades: { 1: ({ names, ...settings }) => (names === undefined ? settings : { ...settings, names: listOf(names) }) },
  settings: z.strictObject({
    notEmbedded: choiceField('Disallow', ['Allow', 'Disallow']),
    allowedTypes: z.array(z.enum(allowableFontTypes)).default([...allowableFontTypes]),
    names: groupField(
      {
        policy: choiceField('Any', ['Any', 'AllowOnly', 'Disallow']),
        list: onlyWhen({ policy: ['AllowOnly', 'Disallow'] }, namesField()),
      },
      'list',
    ),
    minSize: groupField({
      failBelow: pointsOrOff(null, size),
      warnBelow: pointsOrOff(null, size),
    }),
    minSizeMultiInk: pointsOrOff(null, size),
    minSizeWhite: pointsOrOff(null, size),
    onlyUsedGlyphs: flagField(true),
    widthTolerance: countField(5, { min: 1, max: 1000 }),
  }),
  rules: {
    notEmbedded: 'Fail',
    type: 'Fail',
    type3: 'Info',
    name: 'Fail',
    courierSubstitution: 'Warn',
    small: 'Measured',
    smallMultiInk: 'Warn',
    smallWhite: 'Warn',
    invalidFont: 'Fail',
    notdefGlyph: 'Fail',
    widthDiffers: 'Info',
  },
  remedies: {
    notEmbedded: 'fonts',
    type: 'fonts',
    type3: 'fonts',
    name: 'fonts',
    courierSubstitution: 'fonts',
    small: 'smallText',
    smallMultiInk: 'smallText',
    smallWhite: 'smallText',
    invalidFont: 'fonts',
    notdefGlyph: 'fonts',
    widthDiffers: 'fonts',
  },
});
