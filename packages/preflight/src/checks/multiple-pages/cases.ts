import { pages } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'MultiplePages'>[] = [
  { kind: 'page', rule: 'notMultiple', settings: { n: 4 }, breaks: pages(5), passes: pages(4) },
  {
    kind: 'page',
    rule: 'notSingle',
    settings: { mode: 'SinglePageOnly' },
    breaks: pages(2),
    passes: pages(1),
  },
  {
    kind: 'page',
    rule: 'onlyOne',
    settings: { mode: 'MultiPageRequired' },
    breaks: pages(1),
    passes: pages(2),
  },
];
