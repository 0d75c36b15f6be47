import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ColourService, createColourService } from '../colour/colour-service.ts';
import { profileBytes } from '../colour/shipped-profiles.ts';
import type { PagePlates } from './plates.ts';
import { softProof, softProofsApart } from './soft-proof.ts';

let colour: ColourService;
beforeAll(async () => {
  colour = await createColourService();
});
afterAll(() => colour.close());

const [width, height] = [64, 40_000];
const inks = (['Cyan', 'Magenta', 'Yellow', 'Black'] as const).map((name, at) => ({
  ...{ id: name, name, kind: 'process' as const },
  cmyk: [0, 1, 2, 3].map((ink) => (ink === at ? 1 : 0)) as unknown as [number, number, number, number],
}));

/** Plates of more than one strip, whose values are those of `value`. */
const platesOf = (
  value: (ink: number, pixel: number) => number,
  profile: PagePlates['profile'] = 'fogra39l-coated',
): PagePlates =>
  ({
    ...{ width, height, inks, profile, frame: {} },
    plate: (id: string, { from, count }: { from: number; count: number }, into: Uint8Array) => {
      const ink = inks.findIndex((one) => one.id === id);
      for (let at = 0; at < count * width; at += 1) into[at] = value(ink, from * width + at);
      return into;
    },
  }) as unknown as PagePlates;

const colourful = (ink: number, pixel: number): number => (pixel * (ink + 3) + (pixel >> 7)) & 255;
const before = platesOf(colourful);
const isApart = (pixel: number): boolean => pixel % 1_009 === 0;
const after = platesOf((ink, pixel) => colourful(ink, pixel) ^ (isApart(pixel) ? 16 : 0));

test('where two pages differ, they look as in their soft proofs; elsewhere they are equal', () => {
  const whole = [before, after].map((plates) => softProof(plates, colour));
  const apart = softProofsApart([before, after], colour) ?? [];
  for (const side of [0, 1]) {
    const wanted = new Uint8Array(width * height * 3);
    for (let pixel = 0; pixel < width * height; pixel += 1)
      if (isApart(pixel)) wanted.set(whole[side]?.pixels.subarray(pixel * 3, pixel * 3 + 3) ?? [], pixel * 3);
    expect(Buffer.compare(apart[side]?.pixels ?? new Uint8Array(), wanted)).toBe(0);
  }
});

test('the bytes of a profile are the press that its name is, and equal inks of another press are not compared', () => {
  const sameBytes = platesOf(colourful, profileBytes('fogra39l-coated'));
  expect(
    softProofsApart([before, sameBytes], colour)?.every(({ pixels }) => pixels.every((level) => level === 0)),
  ).toBe(true);
  expect(softProofsApart([before, platesOf(colourful, 'isocoated-v2-300-bas')], colour)).toBeNull();
});
