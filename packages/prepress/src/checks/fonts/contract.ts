import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField, flagField, groupField, namesField, onlyWhen, pointsOrOff } from '../fields.ts';
import { messages } from './messages.ts';

/** `Type2` is the specification's word; PDF has none, so it is read as CFF ("Type 2 charstrings"). */
export const allowableFontTypes = ['Type0', 'Type1', 'Type2', 'TrueType', 'OpenType', 'Type3'] as const;

const size = { max: 1000 };

/** `{ allow: [] }` and `{ deny: [] }`, as the specification has it, are one list and what it is for. */
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
  },
});
