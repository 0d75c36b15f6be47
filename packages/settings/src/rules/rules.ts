import { pageRangeSchema, severitySchema } from '@pdf2press/contract';
import { z } from 'zod';

/**
 * The rules of conditions and routes as they are stored: a fact, an operator, a value; in groups of which all, any or none
 * must hold. The schemas tell the form only; `checkRules` tells what a rule means and lacks.
 */

/** Groups within groups: what a person can still read. */
export const maxDepth = 3;
/** Rules of all groups together. */
export const maxRules = 200;

const constantSchema = z.union([z.string().max(2000), z.number(), z.boolean()]);
/** A value as it is, or the name of a variable whose value counts when the rule is looked at. */
const operandSchema = z.union([constantSchema, z.strictObject({ variable: z.string().max(120) })]);

/** Which findings the fact `preflight.findings` counts. */
const findingFilterSchema = z.strictObject({
  /** Of this check; without it of any. */
  check: z.string().max(60).optional(),
  /** By this rule of the check, as findings name it: `ImageResolution.low`. */
  rule: z.string().max(120).optional(),
  /** This severe or worse. */
  severity: severitySchema.default('Info'),
  /** On these pages; without it anywhere, the file as a whole included. */
  pages: pageRangeSchema.optional(),
});

const ruleSchema = z.strictObject({
  fact: z.string().max(120),
  operator: z.string().max(40),
  /** One value, or a list for operators that take several. */
  value: z.union([operandSchema, z.array(operandSchema).max(200)]).optional(),
  isCaseSensitive: z.boolean().optional(),
  findings: findingFilterSchema.optional(),
});
export type Rule = z.infer<typeof ruleSchema>;
export type Operand = z.infer<typeof operandSchema>;

const matches = ['all', 'any', 'none'] as const;
export interface RuleGroup {
  match: (typeof matches)[number];
  rules: (Rule | RuleGroup)[];
}

/** The type is stated because TypeScript infers none for a schema that contains itself. */
const groupSchema = (depth: number): z.ZodType<RuleGroup, RuleGroup> =>
  z.strictObject({
    match: z.enum(matches),
    rules: z.array(depth < maxDepth ? z.union([groupSchema(depth + 1), ruleSchema]) : ruleSchema).max(maxRules),
  }) as unknown as z.ZodType<RuleGroup, RuleGroup>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
export const isGroup = (value: Rule | RuleGroup): value is RuleGroup => 'match' in value;

/** The fault of groups too deep or rules too many, before a schema walks down into them; null for none. */
function shapeFault(root: unknown): string | null {
  let level: unknown[] = [root];
  let count = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    const groups = level.filter((node): node is Record<string, unknown> => isObject(node) && Array.isArray(node.rules));
    if (groups.length > 0 && depth > maxDepth) return 'rule.tooDeep';
    level = groups.flatMap(({ rules }) => rules as unknown[]);
    count += level.length;
    if (count > maxRules) return 'rule.tooMany';
  }
  return null;
}

/**
 * Groups of rules up to three deep. Deeper nesting and too many rules are refused by a sentence of their own. A form shows
 * them in the editor of that name.
 */
export const ruleGroupSchema = z
  .preprocess((value, context) => {
    const code = shapeFault(value);
    if (code)
      context.issues.push({
        code: 'custom',
        input: value,
        params: { code, params: { max: code === 'rule.tooDeep' ? maxDepth : maxRules } },
      });
    return value;
  }, groupSchema(1))
  .meta({ editor: 'ruleGroup' });

/** Every rule with its path as forms name fields: `rules.0.rules.1`. */
export function rulesOf(group: RuleGroup, path = ''): { rule: Rule; path: string }[] {
  return group.rules.flatMap((each, at) => {
    const here = `${path}rules.${at}`;
    return isGroup(each) ? rulesOf(each, `${here}.`) : [{ rule: each, path: here }];
  });
}
