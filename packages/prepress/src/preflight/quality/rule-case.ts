import type { CheckKey } from '../../checks/contracts.ts';
import type { Doc } from './doc.ts';

/** One rule on both sides of its limit. */
export interface RuleCase {
  /** `Check.rule`. */
  rule: `${CheckKey}.${string}`;
  settings?: object;
  severities?: object;
  /** Breaks the rule, by as little as is certain. */
  breaks: Doc;
  /** Keeps it, by as little. */
  passes: Doc;
  /** `object`: holds wherever on the page and however nested; `placed`: told otherwise but not hidden; `page`: as it is. */
  kind: 'object' | 'placed' | 'page';
}

const text = (size: number, colour: string, string = 'Sample') =>
  `BT ${colour} /F1 ${size} Tf 100 200 Td (${string}) Tj ET`;

const doc = (content: string, rest: Partial<Doc> = {}): Doc => ({ content, ...rest });

/** A page of text, filled with what a test is about. */
export { doc, text };
