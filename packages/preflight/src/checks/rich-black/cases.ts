import { doc, line, text } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** Crop marks of the four corners, outside the bleed. */
const marks = '20 0 m 20 8 l 380 0 m 380 8 l 0 20 m 8 20 l 392 480 m 400 480 l 20 492 m 20 500 l';

export const cases: readonly RuleCase<'RichBlack'>[] = [
  {
    kind: 'object',
    rule: 'sum',
    breaks: doc(text(20, '0.66 0.65 0.65 0.85 k')),
    passes: doc(text(20, '0.65 0.65 0.65 0.85 k')),
  },
  { kind: 'object', rule: 'sum', breaks: doc(line(1.9, '0.7 0.7 0.7 1 K')), passes: doc(line(2.1, '0.7 0.7 0.7 1 K')) },
  { kind: 'object', rule: 'tooManyInks', breaks: doc(text(11.9, '0.3 0 0 1 k')), passes: doc(text(12, '0.3 0 0 1 k')) },
  {
    kind: 'object',
    rule: 'tooManyInks',
    breaks: doc(text(10, '0.3 0 0 0.85 k')),
    passes: doc(text(10, '0.3 0 0 0.84 k')),
  },
  { kind: 'object', rule: 'rgbBlack', breaks: doc(text(10, '0 0 0 rg')), passes: doc(text(10, '0.1 0 0 rg')) },
  {
    kind: 'object',
    rule: 'registrationBlack',
    breaks: doc(text(10, '1 1 1 1 k')),
    passes: doc(text(10, '1 1 1 0.99 k')),
  },
  {
    kind: 'object',
    rule: 'registrationBlack',
    breaks: doc('/All cs 1 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f'),
  },
  // Crop marks are often one path, whose box holds the page; the last of its lines is what differs.
  ...(['registrationBlack', 'sum', 'tooManyInks'] as const).map((rule) => ({
    kind: 'object' as const,
    rule,
    breaks: doc(`1 1 1 1 K ${marks} 100 100 m 100 8 l S`),
    passes: doc(`1 1 1 1 K ${marks} 100 8 m 100 0 l S`),
  })),
  {
    kind: 'object',
    rule: 'flat',
    settings: { solidArea: { requireRich: 5000 } },
    breaks: doc('0 0 0 1 k 100 100 51 100 re f'),
    passes: doc('0 0 0 1 k 100 100 49 100 re f'),
  },
];
