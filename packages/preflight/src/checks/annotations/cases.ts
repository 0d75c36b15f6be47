import { note } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'Annotations'>[] = [
  { kind: 'page', rule: 'insideTrim', breaks: note('100 100 120 120'), passes: note('0 0 5 5') },
  { kind: 'page', rule: 'insideBleed', breaks: note('12 100 18 120'), passes: note('0 0 5 5') },
  {
    kind: 'page',
    rule: 'outside',
    severities: { outside: 'Info' },
    breaks: note('0 0 5 5'),
    passes: note('100 100 120 120'),
  },
  {
    kind: 'page',
    rule: 'link',
    breaks: note('100 100 120 120', 'Link'),
    passes: note('100 100 120 120', 'Popup'),
  },
  {
    kind: 'page',
    rule: 'formField',
    breaks: note('100 100 120 120', 'Widget', '/FT /Tx /T (a)'),
    passes: note('0 0 5 5', 'Widget', '/FT /Tx /T (a)'),
  },
  {
    kind: 'page',
    rule: 'noAppearance',
    breaks: note('100 100 120 120', 'Square', '/F 4'),
    passes: note('100 100 120 120', 'Square', '/F 0'),
  },
];
