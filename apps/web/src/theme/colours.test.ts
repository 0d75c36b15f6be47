import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, ensure, type Hex, isHex, onColour, primaryShades, ramp, textContrast, white } from './colours.ts';
import { dark, light, type Palette } from './palette.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}` as Hex);

test('every primary colour gives readable text in both themes', () => {
  fc.assert(
    fc.property(colour, fc.boolean(), (primary, isDark) => {
      const { surface, canvas } = isDark ? dark : light;
      const shades = primaryShades(primary, { isDark, surface, canvas });
      for (const ground of [surface, canvas, shades.soft, shades.softHover]) {
        expect(contrast(shades.strong, ground)).toBeGreaterThanOrEqual(textContrast);
      }
      expect(contrast(shades.stronger, surface)).toBeGreaterThanOrEqual(textContrast);
      expect(contrast(shades.onFill, shades.fill)).toBeGreaterThanOrEqual(textContrast);
      expect(contrast(shades.onFill, shades.fillHover)).toBeGreaterThanOrEqual(textContrast);
    }),
    { numRuns: 1000 },
  );
});

test('the text colours of both palettes are readable on every background', () => {
  const check = (palette: Palette) => {
    for (const ground of [palette.canvas, palette.surface, palette.raised, palette.hover]) {
      for (const text of [palette.text, palette.dimmed]) {
        expect(contrast(text, ground)).toBeGreaterThanOrEqual(textContrast);
      }
    }
    for (const kind of ['success', 'info', 'warning', 'error'] as const) {
      for (const ground of [palette.surface, palette.canvas, palette[`${kind}Soft`]]) {
        expect(contrast(palette[kind], ground), `${kind} on ${ground}`).toBeGreaterThanOrEqual(textContrast);
      }
    }
    expect(contrast(palette.dimmed, palette.neutralSoft)).toBeGreaterThanOrEqual(textContrast);
    expect(contrast(palette.border, palette.surface)).toBeGreaterThanOrEqual(3);
  };
  check(light);
  check(dark);
});

test('the default primary colour is darkened only for text', () => {
  expect(contrast('#0d9494', white)).toBeLessThan(textContrast);
  expect(contrast(ensure('#0d9494', white), white)).toBeGreaterThanOrEqual(textContrast);
  expect(ensure('#0a7575', white)).toBe('#0a7575');
  expect(onColour('#000000')).toBe(white);
  expect(ramp('#0d9494')).toHaveLength(10);
  expect(isHex('#12345')).toBe(false);
});
