import { doc, onLayer, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'Layers'>[] = [
  {
    kind: 'page',
    rule: 'configs',
    breaks: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> /Configs [<< >>] >>' }),
    passes: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> /Configs [] >>' }),
  },
  {
    kind: 'page',
    rule: 'notAllowed',
    settings: { policy: 'Disallow' },
    breaks: onLayer(something, ''),
    passes: doc(something),
  },
  { kind: 'page', rule: 'hidden', breaks: onLayer(something, '/OFF [490 0 R]'), passes: onLayer(something, '') },
  {
    kind: 'page',
    rule: 'hidden',
    breaks: { ...onLayer(something, '/OFF [490 0 R]'), content: something },
    passes: { ...onLayer(something, '/ON [490 0 R]'), content: something },
  },
  {
    kind: 'page',
    rule: 'viewNotPrint',
    breaks: onLayer(
      something,
      '/AS [<< /Event /Print /Category [/Print] /OCGs [490 0 R] >>]',
      '/Usage << /Print << /PrintState /OFF >> >>',
    ),
    passes: onLayer(
      something,
      '/AS [<< /Event /Print /Category [/Print] /OCGs [490 0 R] >>]',
      '/Usage << /Print << /PrintState /ON >> >>',
    ),
  },
];
