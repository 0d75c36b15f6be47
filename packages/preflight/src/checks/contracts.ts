/** The contracts of all checks and the types derived from them. */
import type { z } from 'zod';
import type { RemedyKey } from '../remedies/remedies.ts';
import * as table from './contract-table.ts';
import type { CheckContract } from './define-check.ts';
import type { CheckKey } from './keys.ts';

export { type CheckKey, checkKeys } from './keys.ts';

export const checkContracts: { readonly [K in CheckKey]: (typeof table)[K] } = { ...table };

export type ContractOf<K extends CheckKey> = (typeof checkContracts)[K];
export type SettingsOf<K extends CheckKey> = z.output<ContractOf<K>['settings']>;
export type RuleOf<K extends CheckKey> = keyof ContractOf<K>['rules'] & string;

/** How a customer mends what a rule (`Bleed.short`) reports; null = not the customer's to mend, or a rule of another release. */
export function remedyOf(ruleKey: string): RemedyKey | null {
  const [check = '', rule = ''] = ruleKey.split('.');
  if (!Object.hasOwn(checkContracts, check)) return null;
  const { remedies }: CheckContract = checkContracts[check as CheckKey];
  return typeof remedies === 'string' ? remedies : (remedies?.[rule] ?? null);
}
