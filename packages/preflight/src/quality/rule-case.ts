import type { Variables } from '@pdf2press/settings';
import type { CheckKey, RuleOf } from '../checks/contracts.ts';
import type { PreflightProfileInput } from '../profile/profile.ts';
import type { Doc } from './doc.ts';

/** Two documents for one rule of a check: just above and just below its limit. */
export interface RuleCase<K extends CheckKey> {
  rule: RuleOf<K>;
  settings?: object;
  severities?: Partial<Record<RuleOf<K>, 'Info' | 'Warn' | 'Fail'>>;
  /** Further fields of the profile. */
  profile?: Omit<PreflightProfileInput, 'checks'>;
  variables?: Variables;
  /** The version of the file before. */
  before?: Doc;
  /** Breaks the rule, with a value close to the limit. */
  breaks: Doc;
  /** Does not break it, with a value close to the limit. */
  passes: Doc;
  /** Variants to test. `object`: the same page written differently, and hidden; `placed`: not hidden; `page`: none. */
  kind: 'object' | 'placed' | 'page';
  /** Tried by `npm run night` only: by day another case is tried in the same way. */
  atNight?: true;
  /** The rule also reports white objects on unprinted paper. */
  countsInWhite?: true;
}
