import { doc, imageAt, line, onCyan, text } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A stencil of 8 × 8 pixels, all of them painted. */
const stencil = 'q 30 0 0 30 100 200 cm BI /W 8 /H 8 /IM true /BPC 1 /D [1 0] ID \xff\xff\xff\xff\xff\xff\xff\xff EI Q';

export const cases: readonly RuleCase<'OverPrint'>[] = [
  {
    kind: 'object',
    rule: 'whiteTextOverprint',
    breaks: doc(onCyan(`/Over gs ${text(20, '0 0 0 0 k')}`)),
    passes: doc(`/Over gs ${text(20, '0 0 0 0 k')}`),
  },
  {
    kind: 'object',
    rule: 'whiteTextOverprint',
    breaks: doc(onCyan(`/Over gs ${text(20, '0 0 0 0 k')}`)),
    passes: doc(onCyan(text(20, '0 0 0 0 k'))),
  },
  {
    kind: 'object',
    rule: 'whitePathOverprint',
    breaks: doc(onCyan('/Over gs 0 0 0 0 k 100 200 20 20 re f')),
    passes: doc(onCyan('/Over gs 0 0 0 0 k 300 400 20 20 re f')),
  },
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(text(11.9, '0 0 0 1 k'))),
    passes: doc(onCyan(text(12, '0 0 0 1 k'))),
  },
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(text(10, '0 0 0 1 k'))),
    passes: doc(onCyan(`/Over gs ${text(10, '0 0 0 1 k')}`)),
  },
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(text(10, '0 0 0 1 k'))),
    passes: doc(onCyan(`0 0 0 0 k 40 140 250 250 re f ${text(10, '0 0 0 1 k')}`)),
  },
  { kind: 'object', rule: 'blackLineNotOverprint', breaks: doc(onCyan(line(1.9))), passes: doc(onCyan(line(2))) },
  {
    kind: 'object',
    rule: 'blackLineNotOverprint',
    breaks: doc(onCyan(line(1))),
    passes: doc(`1 0 0 0 K 4 w 60 160 300 300 re S ${line(1)}`),
  },
  { kind: 'object', rule: 'grayText', breaks: doc(onCyan(text(10, '0 g'))), passes: doc(onCyan(text(12, '0 g'))) },
  { kind: 'object', rule: 'grayLine', breaks: doc(onCyan(line(1, '0 G'))), passes: doc(onCyan(line(2, '0 G'))) },
  {
    kind: 'object',
    rule: 'grayOverprint',
    breaks: doc(onCyan(`/Over gs ${text(20, '0.5 g')}`)),
    passes: doc(onCyan(text(20, '0.5 g'))),
  },
  {
    kind: 'object',
    rule: 'opmZeroOnCMYK',
    breaks: doc(onCyan(`/Over0 gs ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(`/Over gs ${text(20, '0 1 0 0 k')}`)),
  },
  {
    kind: 'object',
    rule: 'anyOverprint',
    severities: { anyOverprint: 'Warn' },
    breaks: doc(onCyan(`/Over gs ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(text(20, '0 1 0 0 k'))),
  },
  {
    kind: 'object',
    rule: 'imageOverprint',
    breaks: doc(onCyan(`/Over gs ${imageAt('Im', 30)}`)),
    passes: doc(onCyan(imageAt('Im', 30))),
  },
  {
    kind: 'object',
    rule: 'overprintWithTransparency',
    breaks: doc(onCyan(`/Over gs /Half gs ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(`/Over gs ${text(20, '0 1 0 0 k')}`)),
  },
  {
    kind: 'object',
    rule: 'technicalKnocksOut',
    breaks: doc(onCyan('/Cut CS 1 SCN 1 w 100 200 m 150 250 l S')),
    passes: doc(onCyan('/Over gs /Cut CS 1 SCN 1 w 100 200 m 150 250 l S')),
  },
  {
    kind: 'object',
    rule: 'grayText',
    breaks: doc(onCyan(text(10, '0 g'))),
    passes: doc(`0 0 0 0.3 k 50 150 200 200 re f ${text(10, '0 g')}`),
  },
  // A fill and a stroke are two paints: each rule is broken by either of them.
  {
    kind: 'object',
    rule: 'whiteTextOverprint',
    breaks: doc(onCyan(`/Over gs 0 0 0 0 K 2 Tr ${text(20, '0 0 0 1 k')}`)),
    passes: doc(onCyan(`/Over gs 0 0 0 1 K 2 Tr ${text(20, '0 0 0 1 k')}`)),
  },
  {
    kind: 'object',
    rule: 'whitePathOverprint',
    breaks: doc(onCyan('/Over gs 0 0 0 0 k 0 1 0 0 K 100 200 20 20 re B')),
    passes: doc(onCyan('/Over gs 0 1 0 0 k 0 1 0 0 K 100 200 20 20 re B')),
  },
  {
    kind: 'object',
    rule: 'grayOverprint',
    breaks: doc(onCyan(`/Over gs 0.5 G 2 Tr ${text(20, '0 1 0 0 k')}`)),
    passes: doc(onCyan(`/Over gs 0 0 0 0.5 K 2 Tr ${text(20, '0 1 0 0 k')}`)),
  },
  {
    kind: 'object',
    rule: 'grayOverprint',
    breaks: doc(onCyan(`/Over gs 0.5 g ${stencil}`)),
    passes: doc(onCyan(`/Over gs 0 0 0 0.5 k ${stencil}`)),
  },
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(`0 0 0 1 K 2 Tr ${text(10, '0 0 0 1 k')}`)),
    passes: doc(onCyan(`0 1 0 0 K 2 Tr ${text(10, '0 0 0 1 k')}`)),
  },
  // Overprint mode 0 paints nothing on three plates, which removes what is there.
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(`/Over0 gs ${text(10, '0 0 0 1 k')}`)),
    passes: doc(onCyan(`/Over gs ${text(10, '0 0 0 1 k')}`)),
  },
  {
    kind: 'object',
    rule: 'blackLineNotOverprint',
    breaks: doc(onCyan(`/Over0 gs ${line(1)}`)),
    passes: doc(onCyan(`/Over gs ${line(1)}`)),
  },
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(text(10, '0 0 0 1 k'))),
    passes: doc(onCyan(`/Mult gs ${text(10, '0 0 0 1 k')}`)),
  },
  {
    kind: 'object',
    rule: 'blackTextNotOverprint',
    breaks: doc(onCyan(text(10, '0 0 0 1 k'))),
    passes: doc(onCyan(`/Half gs ${text(10, '0 0 0 1 k')}`)),
  },
];
