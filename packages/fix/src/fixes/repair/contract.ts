import { choiceField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/**
 * Writes the file anew: corrected cross-references, no encryption, no unused objects. Content streams stay byte for
 * byte.
 */
export const repair = defineFix({
  key: 'Repair',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 5,
  checks: ['DocumentIntegrity'],
  mayChange: ['metadata'],
  writesAnew: true,
  mayLookDifferent: 'nowhere',
  isRelative: ({ rewrite }) => rewrite === 'Always',
  settings: z.strictObject({
    rewrite: choiceField('IfDamaged', ['IfDamaged', 'Always']),
    removeEncryption: flagField(true),
    balanceContent: flagField(true),
  }),
});
