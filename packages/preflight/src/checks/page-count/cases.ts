import { pages } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'PageCount'>[] = [
  { kind: 'page', rule: 'tooMany', settings: { max: 2 }, breaks: pages(3), passes: pages(2) },
  { kind: 'page', rule: 'tooFew', settings: { min: 2 }, breaks: pages(1), passes: pages(2) },
  { kind: 'page', rule: 'notExact', settings: { exact: 2 }, breaks: pages(3), passes: pages(2) },
  {
    kind: 'page',
    rule: 'notAsOrdered',
    settings: { compareTo: 'pages' },
    variables: { pages: '2' },
    breaks: pages(3),
    passes: pages(2),
  },
];
