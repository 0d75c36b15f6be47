import { at, doc, imageAt, text } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** The page ends where `imageAt` at 400 ppi does. */
const filled = { trim: [100, 200, 100 + at(400), 200 + at(400)], bleed: null };

export const cases: readonly RuleCase<'ImageResolution'>[] = [
  { kind: 'object', rule: 'low', breaks: doc(imageAt('Im', at(149))), passes: doc(imageAt('Im', at(225))) },
  {
    kind: 'object',
    rule: 'low',
    settings: { colourGray: { failBelow: 149, warnBelow: null } },
    breaks: doc(imageAt('Im', at(149.4))),
    passes: doc(imageAt('Im', at(149.6))),
  },
  {
    kind: 'object',
    rule: 'lowOneBit',
    settings: { oneBit: { failBelow: 549, warnBelow: null } },
    breaks: doc(imageAt('Bit', at(549.4, 400))),
    passes: doc(imageAt('Bit', at(549.6, 400))),
  },
  { kind: 'object', rule: 'high', breaks: doc(imageAt('Im', at(451))), passes: doc(imageAt('Im', at(449))) },
  {
    kind: 'object',
    rule: 'highOneBit',
    settings: { oneBit: { infoAbove: 1200 } },
    breaks: doc(imageAt('Bit', at(1201, 400))),
    passes: doc(imageAt('Bit', at(1199, 400))),
  },
  {
    kind: 'object',
    rule: 'singleImagePage',
    settings: { singleImagePage: { failBelow: 149, warnBelow: 449 } },
    breaks: doc(imageAt('Im', at(400)), filled),
    passes: doc(`${imageAt('Im', at(400))} ${text(1, '0 g')}`, filled),
  },
  {
    kind: 'object',
    rule: 'singleImagePage',
    settings: { singleImagePage: { failBelow: 149, warnBelow: 449 } },
    breaks: doc(imageAt('Im', at(400)), filled),
    passes: doc(imageAt('Im', at(400))),
  },
  {
    kind: 'object',
    rule: 'low',
    breaks: doc(`${imageAt('Im', at(100))} /Half gs 0.5 g 50 150 200 200 re f`),
    passes: doc(`${imageAt('Im', at(100))} 0.5 g 50 150 200 200 re f`),
  },
  {
    kind: 'object',
    rule: 'low',
    breaks: doc(`${imageAt('Im', at(100))} 0.5 g 102 150 200 200 re f`),
    passes: doc(`${imageAt('Im', at(100))} 0.5 g 100 150 200 200 re f`),
  },
];
