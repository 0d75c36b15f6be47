import { pagePositionSchema, pageRangeSchema } from '@pdf2press/contract';
import { choiceField, countField, onlyWhen, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/**
 * Removes pages, or adds blank ones. Runs early in the engine order, so that later page ranges refer to the remaining
 * pages.
 */
export const truncatePages = defineFix({
  key: 'TruncatePages',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 10,
  checks: ['PageCount', 'MultiplePages', 'EmptyPages'],
  mayChange: [
    'pageCount',
    'boxes',
    'inks',
    'overprint',
    'overprintColours',
    'images',
    'fonts',
    'text',
    'layers',
    'metadata',
  ],
  mayLookDifferent: 'everywhere',
  isRelative: ({ keep }) => keep === 'Range' || keep === 'RemoveRange',
  settings: z.strictObject({
    keep: choiceField('FirstN', ['FirstN', 'LastN', 'Range', 'RemoveEmpty', 'RemoveRange', 'PadToMultipleOf']),
    count: onlyWhen({ keep: ['FirstN', 'LastN'] }, countField(1, { min: 1, max: 100_000 })),
    range: onlyWhen({ keep: ['Range', 'RemoveRange'] }, pageRangeSchema.default('all')),
    emptyPosition: onlyWhen({ keep: 'RemoveEmpty' }, pagePositionSchema.default('Any')),
    emptyThreshold: onlyWhen({ keep: 'RemoveEmpty' }, percentField(0, { max: 5 })),
    multiple: onlyWhen({ keep: 'PadToMultipleOf' }, countField(4, { min: 2, max: 64 })),
    blanksAt: onlyWhen({ keep: 'PadToMultipleOf' }, choiceField('End', ['End', 'BeforeLast', 'Custom'])),
    customPosition: onlyWhen({ keep: 'PadToMultipleOf', blanksAt: 'Custom' }, countField(1, { min: 1, max: 100_000 })),
  }),
});
