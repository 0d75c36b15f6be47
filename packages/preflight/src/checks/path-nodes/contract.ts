import { countOrOff, groupField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const nodes = { min: 1, max: 100_000_000 };

/**
 * Paths with so many points that a RIP takes minutes or gives up: traced pictures, maps, drawings of machines. A drawing by
 * hand has some thousand; PostScript promises 1,500 in one path (PostScript Language Reference, appendix B).
 */
export const pathNodes = defineCheck({
  key: 'PathNodes',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    perPath: groupField({ failAbove: countOrOff(null, nodes), warnAbove: countOrOff(25_000, nodes) }),
    perPage: groupField({ failAbove: countOrOff(null, nodes), warnAbove: countOrOff(2_000_000, nodes) }),
  }),
  rules: { path: 'Measured', page: 'Measured' },
  remedies: 'drawings',
});
