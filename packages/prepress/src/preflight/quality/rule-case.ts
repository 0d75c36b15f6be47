import type { CheckKey, RuleOf } from '../../checks/contracts.ts';
import type { Variables } from '../expression.ts';
import type { PreflightProfileInput } from '../profile.ts';
import type { Doc } from './doc.ts';

/** One rule of a check on both sides of its limit. */
export interface RuleCase<K extends CheckKey> {
  rule: RuleOf<K>;
  settings?: object;
  severities?: Partial<Record<RuleOf<K>, 'Info' | 'Warn' | 'Fail'>>;
  /** What else the profile says. */
  profile?: Omit<PreflightProfileInput, 'checks'>;
  variables?: Variables;
  /** Breaks the rule, by as little as is certain. */
  breaks: Doc;
  /** Keeps it, by as little. */
  passes: Doc;
  /** `object`: holds wherever on the page and however nested; `placed`: told otherwise but not hidden; `page`: as it is. */
  kind: 'object' | 'placed' | 'page';
  /** White on bare paper breaks an object's rule too: it is about something else than what prints. */
  countsInWhite?: true;
}
