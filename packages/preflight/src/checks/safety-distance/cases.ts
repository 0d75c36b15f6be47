import { doc, imageFrom, mm } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'SafetyDistance'>[] = [
  {
    kind: 'placed',
    rule: 'nearEdge',
    breaks: doc(imageFrom(20 + mm(2.9))),
    passes: doc(imageFrom(20 + mm(3.05))),
  },
  {
    kind: 'object',
    rule: 'nearEdge',
    settings: { warnWithin: { left: 0, right: 0, top: 0, bottom: 0 } },
    breaks: doc(imageFrom(20 + mm(0.9))),
    passes: doc(imageFrom(20 + mm(1.05))),
  },
  {
    kind: 'placed',
    rule: 'crossesEdge',
    breaks: doc(imageFrom(20 - mm(2))),
    passes: doc(imageFrom(20 - mm(3))),
  },
  {
    kind: 'object',
    rule: 'nearEdge',
    breaks: doc('BT /F1 10 Tf 22 300 Td (Near) Tj ET'),
    passes: doc('BT /F1 10 Tf 30 300 Td (Near) Tj ET'),
  },
  {
    kind: 'object',
    rule: 'nearDieLine',
    breaks: doc(`${imageFrom(100)} /Cut CS 1 SCN ${160 + mm(1.9)} 50 m ${160 + mm(1.9)} 400 l S`),
    passes: doc(`${imageFrom(100)} /Cut CS 1 SCN ${160 + mm(2.1)} 50 m ${160 + mm(2.1)} 400 l S`),
  },
  {
    kind: 'object',
    rule: 'crossesEdge',
    breaks: doc('BT /F1 10 Tf 19 300 Td (Near) Tj ET'),
    passes: doc('BT /F1 10 Tf 21 300 Td (Near) Tj ET'),
  },
  // Letters are measured by their outlines, not by the ascent and the descent of their font.
  {
    kind: 'object',
    rule: 'nearEdge',
    breaks: doc(`BT /F1 30 Tf 100 ${20 + mm(3.3)} Td (Hang) Tj ET`),
    passes: doc(`BT /F1 30 Tf 100 ${20 + mm(3.3)} Td (Here) Tj ET`),
  },
  {
    kind: 'object',
    rule: 'nearEdge',
    breaks: doc(`BT /F1 30 Tf 100 ${480 - mm(3) - 20} Td (Tall) Tj ET`),
    passes: doc(`BT /F1 30 Tf 100 ${480 - mm(3) - 20} Td (names) Tj ET`),
  },
];
