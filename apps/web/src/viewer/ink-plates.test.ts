import { expect, test } from 'vitest';
import { coverageOf, heat, heatColour, overlay, type Plate, readInks } from './ink-plates.ts';

const plate = (...ink: number[]): Plate => ({ width: ink.length, height: 1, ink: Uint8Array.from(ink) });
const pixels = (count: number) => new Uint8ClampedArray(count * 4);

test('inks multiply: cyan and yellow make green, paper stays white', () => {
  const out = pixels(3);
  overlay([plate(255, 255, 0), plate(0, 255, 0)], [{ hex: '#00ffff' }, { hex: '#ffff00' }], out);
  expect([...out]).toEqual([0, 255, 255, 255, 0, 255, 0, 255, 255, 255, 255, 255]);
});

test('one ink alone has the tints of the press, and between two of them what lies between', () => {
  const out = pixels(3);
  overlay([plate(128, 191, 255)], [{ hex: '#800000', tints: ['#ffffff', '#c08040', '#800000'] }], out);
  expect([...out.slice(0, 3)]).toEqual([192, 127, 64]);
  expect([...out.slice(4, 7)]).toEqual([160, 64, 32]);
  expect([...out.slice(8, 11)]).toEqual([128, 0, 0]);
});

test('coverage is the mean amount over tiles of different sizes', () => {
  expect(coverageOf([plate(255, 255, 0, 0), plate(255)])).toBeCloseTo(0.6);
  expect(coverageOf([])).toBe(0);
});

test('total ink is grey below the limit, amber near it and red beyond', () => {
  const out = pixels(3);
  heat([plate(0, 255, 255), plate(0, 230, 255)], 195, out);
  expect([...out.slice(0, 3)]).toEqual([255, 255, 255]);
  expect([...out.slice(4, 7)]).toEqual([245, 158, 11]);
  expect(out[8]).toBeGreaterThan(140);
  expect(out[9]).toBeLessThan(45);
  expect(heatColour(2)).toEqual([150, 0, 0]);
});

test('the densitometer reads the value of the plate', () => {
  expect(readInks([plate(0, 128, 255), plate(51, 0, 0)], 0.99, 0.5)).toEqual([100, 0]);
  expect(readInks([plate(0, 128, 255), plate(51, 0, 0)], 0, 0)).toEqual([0, 20]);
});
