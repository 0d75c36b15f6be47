import { z } from 'zod';
import { choiceField, flagField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

/** Writes the file anew: mended cross-references, no encryption, no unused objects. Contents stay byte for byte. */
export const repair = defineFix({
  key: 'Repair',
  version: 1,
  group: 'document',
  messages,
  order: 5,
  checks: ['DocumentIntegrity'],
  mayChange: ['metadata'],
  mayLookDifferent: 'nowhere',
  isRelative: ({ rewrite }) => rewrite === 'Always',
  settings: z.strictObject({
    rewrite: choiceField('IfDamaged', ['IfDamaged', 'Always']),
    removeEncryption: flagField(true),
    balanceContent: flagField(true),
  }),
});
