import { at, doc, imageAt, picture, text } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** The page ends where `imageAt` at 400 ppi does. */
const filled = { trim: [100, 200, 100 + at(400), 200 + at(400)], bleed: null };

const noSmallest = { ignoreSmallerThanPx: 0 };

/** The picture `/Pic` of 10 × 10 px, with a mask of so many samples along each side. */
const masked = (kind: '/SMask' | '/Mask', samples: Uint8Array, side = 10) => {
  const of = picture(`/ColorSpace /DeviceGray /BitsPerComponent 8 ${kind} 481 0 R`, new Uint8Array(100).fill(128));
  const depth =
    kind === '/Mask' ? '/ImageMask true /BitsPerComponent 1' : '/ColorSpace /DeviceGray /BitsPerComponent 8';
  const mask = { dict: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} ${depth}`, data: samples };
  return { ...of, objects: { ...of.objects, 481: mask } };
};

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
  {
    kind: 'object',
    rule: 'low',
    breaks: doc(imageAt('Pic', at(100, 10)), masked('/SMask', Buffer.alloc(100, `${'\0'.repeat(99)}\x01`, 'latin1'))),
    passes: doc(imageAt('Pic', at(100, 10)), masked('/SMask', new Uint8Array(100))),
    settings: noSmallest,
  },
  {
    kind: 'object',
    rule: 'low',
    // Ten bits of a row are followed by six that fill it up.
    breaks: doc(imageAt('Pic', at(100, 10)), masked('/Mask', Buffer.alloc(20, '\xff\x80', 'latin1'))),
    passes: doc(imageAt('Pic', at(100, 10)), masked('/Mask', Buffer.alloc(20, '\xff\xc0', 'latin1'))),
    settings: noSmallest,
  },
  {
    kind: 'object',
    rule: 'lowSoftMask',
    breaks: doc(imageAt('Pic', at(490, 10)), masked('/SMask', new Uint8Array(9).fill(255), 3)),
    passes: doc(imageAt('Pic', at(400, 10)), masked('/SMask', new Uint8Array(36).fill(255), 6)),
    settings: { ...noSmallest, ignoreSoftMasks: false },
  },
];
