import type { SettingIssue } from '@pdf2press/contract';
import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { stepContract, type WorkflowNames } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const text = z.string().max(200).default('').meta({ placeholders: 'session' });
const replaces = { action: ['replace', 'regex'] };
const cuts = { action: ['keepSegment', 'removeSegment'] };

/** One change of the name without its extension. */
const operationSchema = z.strictObject({
  action: z
    .enum(['prefix', 'suffix', 'replace', 'regex', 'keepSegment', 'removeSegment', 'case', 'transliterate'])
    .default('prefix'),
  /** May hold placeholders, as `find` and `replacement` may. */
  text: onlyWhen({ action: ['prefix', 'suffix'] }, text),
  find: onlyWhen({ action: 'replace' }, text),
  /** In the syntax of RE2. */
  expression: onlyWhen({ action: 'regex' }, z.string().max(500).default('')),
  /** With `regex`, `$1` is the first group. */
  replacement: onlyWhen(replaces, text),
  isCaseSensitive: onlyWhen(replaces, z.boolean().default(true)),
  /** What the segments of the name are divided by. */
  separator: onlyWhen(cuts, z.string().max(20).default('_')),
  /** From 1. */
  segment: onlyWhen(cuts, z.int().min(1).max(100).default(1)),
  countsFromEnd: onlyWhen(cuts, z.boolean().default(false)),
  letters: onlyWhen({ action: 'case' }, z.enum(['lower', 'upper', 'title']).default('lower')),
});
export type RenameOperation = z.output<typeof operationSchema>;

const settingsSchema = z.object({
  /** The new name with placeholders; the file's extension is added where the pattern does not end with it. */
  pattern: z.string().trim().min(1).max(500).default('{{file.baseName}}').meta({ placeholders: 'session' }),
  /** Carried out one after the other on what the pattern gives. */
  operations: z.array(operationSchema).max(50).default([]),
  /** What happens when another file of the session has the name. */
  collision: z.enum(['version', 'unique', 'overwrite', 'fail']).default('version'),
});
export type RenameSettings = z.output<typeof settingsSchema>;

/** What is wrong with an operation: nothing to look for, or no regular expression. */
function operationIssues(
  { action, find, expression, separator }: RenameOperation,
  names: WorkflowNames,
): SettingIssue[] {
  const missing = (field: string) => [{ code: 'value.required', field }];
  switch (action) {
    case 'replace':
      return find === '' ? missing('find') : [];
    case 'keepSegment':
    case 'removeSegment':
      return separator === '' ? missing('separator') : [];
    case 'regex':
      return names.regular?.replacer(expression, { isCaseSensitive: true })
        ? []
        : [{ code: 'rule.expressionInvalid', field: 'expression' }];
    default:
      return [];
  }
}

export const renameContract = stepContract({
  kind: 'Rename',
  version: 1,
  settings: settingsSchema,
  outcomes: ['done'],
  icon: 'M3 7h8M7 7v10M13 17h8M15 3h4M15 21h4M17 3v18',
  group: 'files',
  feature: 'FileRenaming',
  check: ({ operations }, names) =>
    operations.flatMap((operation, at) =>
      operationIssues(operation, names).map((issue) => ({ ...issue, field: `operations.${at}.${issue.field}` })),
    ),
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
