import { doc, onLayer, something, text } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** An annotation with an appearance and these flags; 4 is Print. */
const stamp = (flags: number): Partial<Doc> => ({
  extra: `/Annots [<< /Type /Annot /Subtype /Stamp /Rect [100 300 150 350] /F ${flags} /AP << /N 480 0 R >> >>]`,
  objects: { 480: { dict: '/Type /XObject /Subtype /Form /BBox [0 0 50 50]', data: '0 g 0 0 50 50 re f' } },
});

export const cases: readonly RuleCase<'HiddenObjects'>[] = [
  {
    kind: 'object',
    rule: 'obscured',
    countsInWhite: true,
    breaks: doc(`${text(12, '0 g')} 0.5 g 50 150 200 100 re f`),
    passes: doc(`${text(12, '0 g')} /Half gs 0.5 g 50 150 200 100 re f`),
  },
  { kind: 'page', rule: 'outside', breaks: doc('0 g 0 0 5 5 re f'), passes: doc('0 g 10 10 5 5 re f') },
  {
    kind: 'page',
    rule: 'invisible',
    breaks: doc('BT 3 Tr /F1 12 Tf 100 200 Td (Ghost) Tj ET'),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'page',
    rule: 'clipped',
    breaks: doc('0 0 5 5 re W n 0 g 100 100 5 5 re f'),
    passes: doc('99 99 5 5 re W n 0 g 100 100 5 5 re f'),
  },
  { kind: 'page', rule: 'layer', breaks: onLayer(something, '/OFF [490 0 R]'), passes: onLayer(something, '') },
  {
    kind: 'page',
    rule: 'transparent',
    breaks: doc(`/None gs ${something}`, { resources: '/ExtGState << /None << /ca 0 >> >>' }),
    passes: doc(`/Some gs ${something}`, { resources: '/ExtGState << /Some << /ca 0.01 >> >>' }),
  },
  { kind: 'page', rule: 'annotation', breaks: doc(something, stamp(0)), passes: doc(something, stamp(4)) },
];
