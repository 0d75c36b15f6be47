import { doc, mm, something } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A circle of four curves. */
function circle(x: number, y: number, r: number): string {
  const k = r * 0.5523;
  const point = (a: number, b: number) => `${(x + a).toFixed(3)} ${(y + b).toFixed(3)}`;
  const curve = (...points: [number, number][]) => `${points.map(([a, b]) => point(a, b)).join(' ')} c`;
  return [
    `${point(r, 0)} m`,
    curve([r, k], [k, r], [0, r]),
    curve([-k, r], [-r, k], [-r, 0]),
    curve([-r, -k], [-k, -r], [0, -r]),
    curve([k, -r], [r, -k], [r, 0]),
  ].join(' ');
}
/** Two pixels beside each other: white, then cyan. */
const halfWhite: Partial<Doc> = {
  resources: '/XObject << /Pic 480 0 R >>',
  objects: {
    480: {
      dict: '/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceCMYK',
      data: Uint8Array.of(0, 0, 0, 0, 255, 0, 0, 0),
    },
  },
};

export const cases: readonly RuleCase<'Bleed'>[] = [
  {
    kind: 'placed',
    rule: 'short',
    breaks: doc(`1 0 0 0 k ${20 - mm(2.6)} 100 200 200 re f`),
    passes: doc(`1 0 0 0 k ${20 - mm(3)} 100 200 200 re f`),
  },
  {
    kind: 'page',
    rule: 'short',
    settings: { failBelow: mm(1) },
    breaks: doc(`1 0 0 0 k 100 ${20 - mm(1.5)} 200 200 re f`),
    passes: doc('1 0 0 0 k 100 100 200 200 re f'),
  },
  {
    kind: 'page',
    rule: 'short',
    breaks: doc(`q 300 0 0 300 ${380 + mm(2) - 300} 100 cm /Im Do Q`),
    passes: doc(`q 300 0 0 300 ${380 + mm(3) - 300} 100 cm /Im Do Q`),
  },
  {
    kind: 'page',
    rule: 'boxLies',
    breaks: doc('1 0 0 0 k 20 20 360 460 re f'),
    passes: doc(`1 0 0 0 k 0 0 400 500 re f`),
  },
  {
    kind: 'page',
    rule: 'boxOnly',
    breaks: doc('1 0 0 0 k 0 0 400 500 re f', { bleed: null }),
    passes: doc('1 0 0 0 k 0 0 400 500 re f'),
  },
  {
    kind: 'page',
    rule: 'gap',
    breaks: doc(`1 0 0 0 k ${20 + mm(0.6)} 20 360 460 re f`),
    passes: doc(`1 0 0 0 k ${20 + mm(1.5)} 40 300 400 re f`),
  },
  { kind: 'page', rule: 'notNeeded', breaks: doc(something), passes: doc('1 0 0 0 k 0 0 400 500 re f') },
  // By ink: a white box over the bleed, and a picture whose bleed is white; a circle that leaves the page is none of both.
  {
    kind: 'page',
    rule: 'boxLies',
    breaks: doc('1 0 0 0 k 0 0 400 500 re f 0 0 0 0 k 0 0 20 500 re f'),
    passes: doc('1 0 0 0 k 0 0 400 500 re f 0 0 0 0 k 20 0 20 500 re f'),
  },
  {
    kind: 'page',
    rule: 'short',
    breaks: doc(`1 0 0 0 k 0 0 400 500 re f 0 0 0 0 k 0 0 ${20 - mm(1)} 500 re f`),
    passes: doc(`1 0 0 0 k ${circle(20, 250, 40)} f`),
  },
  {
    kind: 'page',
    rule: 'boxLies',
    breaks: doc('q 40 0 0 500 0 0 cm /Pic Do Q', halfWhite),
    passes: doc('q 40 0 0 500 -20 0 cm /Pic Do Q', halfWhite),
  },
  // Colour that ends in the second pixel inside the trim.
  ...[0.75, 0.9].map(
    (inside, at): RuleCase<'Bleed'> => ({
      ...(at > 0 && { atNight: true }),
      kind: 'page',
      rule: 'gap',
      breaks: doc(`1 0 0 0 k ${20 + inside} 0 380 500 re f`),
      passes: doc('1 0 0 0 k 0 0 400 500 re f'),
    }),
  ),
  // White that begins at the trim also whitens the pixel that the trim runs through.
  ...(
    [
      '20 0 m 20 500 l 0 500 l 0 0 l',
      '380 0 m 380 500 l 400 500 l 400 0 l',
      '0 480 m 400 480 l 400 500 l 0 500 l',
    ] as const
  ).map(
    (strip, at): RuleCase<'Bleed'> => ({
      ...(at > 0 && { atNight: true }),
      kind: 'page',
      rule: 'boxLies',
      breaks: doc(`1 0 0 0 k 0 0 400 500 re f 0 0 0 0 k ${strip} h f`),
      passes: doc(`1 0 0 0 k 0 0 400 500 re f 0 0.1 0 0 k ${strip} h f`),
    }),
  ),
  // White over the bleed and a little inside the trim: no object of colour ends there.
  {
    kind: 'page',
    rule: 'gap',
    breaks: doc('1 0 0 0 k 0 0 400 500 re f 0 0 0 0 k 0 0 22 500 re f'),
    passes: doc('1 0 0 0 k 0 0 400 500 re f 0 0 0 0 k 20 100 2 100 re f'),
  },
  // A cut line on the trim is no ink that must bleed, and what it knocks out goes on below it.
  ...(['', '/Over gs'] as const).map((state): RuleCase<'Bleed'> => {
    const cut = `${state} /Cut CS 1 SCN 1 w 20 20 360 460 re S`;
    return {
      kind: 'page',
      rule: 'boxLies',
      breaks: doc(`1 0 0 0 k 20 20 360 460 re f ${cut}`),
      passes: doc(`1 0 0 0 k 0 100 400 200 re f ${cut}`),
    };
  }),
];
