import type { MessageFiles, Severity } from '@pdf2press/contract';
import type { KindHelp } from '@pdf2press/settings';
import type { z } from 'zod';
import type { RemedyKey } from '../remedies/remedies.ts';

/** Groups of checks in the editor. */
export const checkGroups = ['document', 'pages', 'images', 'text', 'objects', 'colour', 'standards'] as const;
export type CheckGroup = (typeof checkGroups)[number];

/**
 * Default severity of a rule. `Measured`: the check decides by its warning limit and its error limit. A profile can override
 * it in `severities`.
 */
export type RuleSeverity = Severity | 'Off' | 'Measured';

/** Description of a check, for the profile editor, the API and the runner. */
export interface CheckContract<
  K extends string = string,
  S extends z.ZodType = z.ZodType,
  R extends Readonly<Record<string, RuleSeverity>> = Readonly<Record<string, RuleSeverity>>,
> {
  /** Key in profiles and reports. */
  readonly key: K;
  /** Version of the settings' shape. */
  readonly version: number;
  readonly group: CheckGroup;
  /** Labels, and two sentences per rule: for the customer and for the operator. */
  readonly messages: MessageFiles;
  /** Help for operators. */
  readonly help: () => Promise<{ default: KindHelp }>;
  readonly settings: S;
  /** Every rule it can report, with its default severity. */
  readonly rules: R;
  /** How a customer mends what a rule reports: one way for all rules, or by rule; null = not the customer's to mend. */
  readonly remedies: RemedyKey | null | Readonly<Record<NoInfer<keyof R & string>, RemedyKey | null>>;
  /** Whether it reports single objects, so that a profile can limit it to kinds of object. */
  readonly findsObjects: boolean;
  /** Whether its findings depend on the trim. */
  readonly usesTrim: boolean;
  /** Whether it compares the file with the version before, whose report it then needs. */
  readonly comparesVersions: boolean;
  /** By n: changes settings of version n to version n + 1. */
  readonly upgrades: Readonly<Record<number, (settings: Record<string, unknown>) => Record<string, unknown>>>;
  /** Old names of settings (by path) and rules, with their present names. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Names under which a severity sets several rules. */
  readonly ruleGroups: Readonly<Record<string, readonly (keyof R & string)[]>>;
}

/** Version 1 had the settings of the inner edge in a group `inner`, used for facing pages only. */
export const innerOfFacingPages =
  (edgeOf: (inner: Record<string, unknown>) => unknown) =>
  ({ inner, ...settings }: Record<string, unknown>): Record<string, unknown> => {
    if (typeof inner !== 'object' || inner === null) return settings;
    const group = inner as Record<string, unknown>;
    const { bindingEdge } = group;
    return { innerEdge: edgeOf(group), ...(bindingEdge !== undefined && { bindingEdge }), ...settings };
  };

type Optional = 'upgrades' | 'renamed' | 'ruleGroups' | 'usesTrim' | 'comparesVersions' | 'findsObjects';

/** Fills in the defaults of a contract. */
export const defineCheck = <
  const K extends string,
  S extends z.ZodType,
  const R extends Readonly<Record<string, RuleSeverity>>,
>(
  contract: Omit<CheckContract<K, S, R>, Optional> & Partial<CheckContract<K, S, R>>,
): CheckContract<K, S, R> => ({
  upgrades: {},
  renamed: {},
  ruleGroups: {},
  usesTrim: false,
  comparesVersions: false,
  findsObjects: true,
  ...contract,
});
