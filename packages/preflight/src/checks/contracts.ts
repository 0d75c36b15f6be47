/** The contracts of all checks and the types derived from them. */
import type { z } from 'zod';
import * as table from './contract-table.ts';
import type { CheckKey } from './keys.ts';

export { type CheckKey, checkKeys } from './keys.ts';

export const checkContracts: { readonly [K in CheckKey]: (typeof table)[K] } = { ...table };

export type ContractOf<K extends CheckKey> = (typeof checkContracts)[K];
export type SettingsOf<K extends CheckKey> = z.output<ContractOf<K>['settings']>;
export type RuleOf<K extends CheckKey> = keyof ContractOf<K>['rules'] & string;
