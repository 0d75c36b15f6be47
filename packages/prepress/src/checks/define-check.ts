import type { MessageFiles, Severity } from '@pdf2press/contract';
import type { z } from 'zod';

/** Where a check stands in the editor. */
export const checkGroups = ['document', 'pages', 'images', 'text', 'objects', 'colour', 'standards'] as const;
export type CheckGroup = (typeof checkGroups)[number];

/**
 * How bad a rule's finding is by default. `Measured`: the check's own pair of limits (warn, fail) decides.
 * A profile overrides any of them by `severities`.
 */
export type RuleSeverity = Severity | 'Off' | 'Measured';

/** What is known of a check without running it: shared by profile editor, API and runner. */
export interface CheckContract<
  K extends string = string,
  S extends z.ZodType = z.ZodType,
  R extends Readonly<Record<string, RuleSeverity>> = Readonly<Record<string, RuleSeverity>>,
> {
  /** Name on the wire, as the specification spells it. */
  readonly key: K;
  /** Version of the settings' shape. */
  readonly version: number;
  readonly group: CheckGroup;
  /** Its name, its settings and two sentences per rule, in every language. */
  readonly messages: MessageFiles;
  readonly settings: S;
  /** Every rule it can report, with its default severity. */
  readonly rules: R;
  /** Its verdicts depend on where the trim is. */
  readonly usesTrim: boolean;
  /** From version n to n + 1, by n. */
  readonly upgrades: Readonly<Record<number, (settings: Record<string, unknown>) => Record<string, unknown>>>;
  /** Names that settings (by path) and rules once had, by what they are called today. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Words of the specification that stand for several rules at once. */
  readonly ruleGroups: Readonly<Record<string, readonly (keyof R & string)[]>>;
}

/** Settings of version 1 kept the inner edge in a group that only facing pages had. */
export const innerOfFacingPages =
  (edgeOf: (inner: Record<string, unknown>) => unknown) =>
  ({ inner, ...settings }: Record<string, unknown>): Record<string, unknown> => {
    if (typeof inner !== 'object' || inner === null) return settings;
    const group = inner as Record<string, unknown>;
    const { bindingEdge } = group;
    return { innerEdge: edgeOf(group), ...(bindingEdge !== undefined && { bindingEdge }), ...settings };
  };

type Optional = 'upgrades' | 'renamed' | 'ruleGroups' | 'usesTrim';

export const defineCheck = <
  const K extends string,
  S extends z.ZodType,
  const R extends Readonly<Record<string, RuleSeverity>>,
>(
  contract: Omit<CheckContract<K, S, R>, Optional> & Partial<CheckContract<K, S, R>>,
): CheckContract<K, S, R> => ({ upgrades: {}, renamed: {}, ruleGroups: {}, usesTrim: false, ...contract });
