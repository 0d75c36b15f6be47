/* The door `@pdf2press/steps/rename-profile`: the settings by which files get their names, of a step and of a profile. */
import type { MessageFiles, SettingIssue } from '@pdf2press/contract';
import { checkPlaceholders, knownNames, onlyWhen, placeholderText, type RuleNames } from '@pdf2press/settings';
import { z } from 'zod';
import en from './rename/messages.en.json' with { type: 'json' };
import es from './rename/messages.es.json' with { type: 'json' };
import fr from './rename/messages.fr.json' with { type: 'json' };
import it from './rename/messages.it-IT.json' with { type: 'json' };
import pt from './rename/messages.pt.json' with { type: 'json' };
import zh from './rename/messages.zh.json' with { type: 'json' };

export const renameMessages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

const replaces = { action: ['replace', 'regex'] };
const cuts = { action: ['keepSegment', 'removeSegment'] };
const adds = { action: ['date', 'counter'] };

type Text = (limits: { min?: number; max: number }) => z.ZodString;

/** One change of the name without its extension. */
const operationWith = (text: z.ZodType<string, string | undefined>) =>
  z.strictObject({
    action: z
      .enum([
        'prefix',
        'suffix',
        'replace',
        'regex',
        'keepSegment',
        'removeSegment',
        'case',
        'trim',
        'pad',
        'diacritics',
        'transliterate',
        'date',
        'counter',
      ])
      .default('prefix'),
    /** May hold placeholders, as `find` and `replacement` may. */
    text: onlyWhen({ action: ['prefix', 'suffix'] }, text),
    find: onlyWhen({ action: 'replace' }, text),
    /** In the syntax of RE2. */
    expression: onlyWhen({ action: 'regex' }, z.string().max(500).default('')),
    /** With `regex`, `$1` is the first group. */
    replacement: onlyWhen(replaces, text),
    isCaseSensitive: onlyWhen(replaces, z.boolean().default(true)),
    date: onlyWhen({ action: 'date' }, z.enum(['now', 'received']).default('now')),
    /** As the format `date` takes it. */
    datePattern: onlyWhen({ action: 'date' }, z.string().trim().min(1).max(60).default('yyyy-MM-dd')),
    /** Which running number: of the workflow, of the workflow's day, or of all workflows together. */
    counts: onlyWhen({ action: 'counter' }, z.enum(['workflow', 'day', 'all']).default('workflow')),
    /** With leading zeros, at least. */
    digits: onlyWhen({ action: ['pad', 'counter'] }, z.int().min(1).max(20).default(4)),
    place: onlyWhen(adds, z.enum(['front', 'end']).default('front')),
    /** What the segments of the name are divided by, or what stands between the name and what is added. */
    separator: onlyWhen([cuts, adds], z.string().max(20).default('_')),
    /** From 1. */
    segment: onlyWhen(cuts, z.int().min(1).max(100).default(1)),
    countsFromEnd: onlyWhen(cuts, z.boolean().default(false)),
    letters: onlyWhen({ action: 'case' }, z.enum(['lower', 'upper', 'title']).default('lower')),
  });

const rulesWith = (textOf: Text) => ({
  /** The new name with placeholders; the file's extension is added where the pattern does not end with it. */
  pattern: textOf({ min: 1, max: 500 }).default('{{file.baseName}}'),
  /** Carried out one after the other on what the pattern gives. */
  operations: z
    .array(operationWith(textOf({ max: 200 }).default('')))
    .max(50)
    .default([])
    .meta({ isOrdered: true }),
  /** What happens when another file of the session has the name. */
  collision: z.enum(['version', 'unique', 'overwrite', 'fail']).default('version'),
  /** Which files get a new name: the one the session works on, the one that came in, or both. */
  scope: z.enum(['production', 'source', 'all']).default('production'),
});

/** How a file gets its name, as the settings of a step: their texts are judged with the workflow's variables. */
export const renameRules = rulesWith(({ min = 0, max }) =>
  z.string().trim().min(min).max(max).meta({ placeholders: 'session' }),
);
export type RenameRules = z.output<z.ZodObject<typeof renameRules>>;
export type RenameOperation = RenameRules['operations'][number];

/** What a profile for names holds. It serves workflows of any variables: a name without a dot may be one of theirs. */
export const renameProfileSchema = z
  .object(rulesWith((limits) => placeholderText({ scope: 'session', ...limits })))
  .superRefine((rules, context) => {
    for (const { code, field = '', params } of renameIssues(rules, { known: knownNames(), regular: null }))
      if (code !== expressionInvalid)
        context.addIssue({ code: 'custom', path: field.split('.'), params: { code, params } });
  });

const expressionInvalid = 'rule.expressionInvalid';

const counterNames = { workflow: 'counter', day: 'counter.daily', all: 'counter.all' } as const;
const dateNames = { now: 'now', received: 'session.createdAt' } as const;

/** The placeholder that gives what a `date` or a `counter` adds. */
export const addedBy = ({ action, date, datePattern, counts, digits }: RenameOperation): string =>
  action === 'date'
    ? `{{${dateNames[date]}|date:"${datePattern.replaceAll('"', '""')}"}}`
    : `{{${counterNames[counts]}|pad:${digits}}}`;

/** The texts with placeholders that an operation uses. */
export const textsOf = (operation: RenameOperation): readonly string[] => {
  const { action, text, find, replacement } = operation;
  switch (action) {
    case 'prefix':
    case 'suffix':
      return [text];
    case 'replace':
      return [find, replacement];
    case 'regex':
      return [replacement];
    case 'date':
    case 'counter':
      return [addedBy(operation)];
    default:
      return [];
  }
};

/** What is wrong with an operation: nothing to look for, no regular expression, no date. */
function operationIssues(operation: RenameOperation, { known, regular }: RuleNames): SettingIssue[] {
  const { action, find, expression, separator } = operation;
  const missing = (field: string) => [{ code: 'value.required', field }];
  switch (action) {
    case 'replace':
      return find === '' ? missing('find') : [];
    case 'keepSegment':
    case 'removeSegment':
      return separator === '' ? missing('separator') : [];
    case 'regex':
      return regular?.replacer(expression, { isCaseSensitive: true })
        ? []
        : [{ code: expressionInvalid, field: 'expression' }];
    case 'date':
      return checkPlaceholders(addedBy(operation), known).map(({ code, params }) => ({
        code,
        params,
        field: 'datePattern',
      }));
    default:
      return [];
  }
}

/**
 * What is wrong with settings that fit their schema, but for the placeholders of their texts.
 * @param regular reads regular expressions; without it each is an issue
 */
export const renameIssues = ({ operations }: Pick<RenameRules, 'operations'>, names: RuleNames): SettingIssue[] =>
  operations.flatMap((operation, at) =>
    operationIssues(operation, names).map((issue) => ({ ...issue, field: `operations.${at}.${issue.field}` })),
  );
