/** Definitions of black, white and technical inks. */
import type { ColorSpace, Paint } from '@pdf2press/pdf';

/**
 * C M Y K (0–1) of a colour in CMYK, DeviceGray or process inks by name, without conversion; null for other spaces.
 */
export function processValues({ space, values }: Paint): readonly [number, number, number, number] | null {
  const [a = 0, b = 0, c = 0, d = 0] = values;
  if (space.family === 'DeviceCMYK' || (space.family === 'ICCBased' && space.components === 4)) return [a, b, c, d];
  if (space.family === 'DeviceGray') return [0, 0, 0, 1 - a];
  if (space.family === 'Separation' && space.names[0] === 'Black') return [0, 0, 0, a];
  if (space.family === 'DeviceN') {
    const inks = ['Cyan', 'Magenta', 'Yellow', 'Black'];
    if (!space.names.every((name) => inks.includes(name) || name === 'None')) return null;
    return inks.map((ink) => values[space.names.indexOf(ink)] ?? 0) as [number, number, number, number];
  }
  return null;
}

/** R G B (0–1) of DeviceRGB, CalRGB and ICC-based RGB, without conversion; null for other spaces. */
export const rgbValues = ({ space, values }: Paint): readonly number[] | null =>
  space.family === 'DeviceRGB' || space.family === 'CalRGB' || (space.family === 'ICCBased' && space.components === 3)
    ? values
    : null;

/** Whether the colour is at least `threshold` (0–1) of black and no other ink. */
export function isPureBlack(paint: Paint, threshold: number): boolean {
  const inks = processValues(paint);
  return inks !== null && inks[3] >= threshold - 1e-6 && Math.max(inks[0], inks[1], inks[2]) < 0.005;
}

/** Whether the colour prints no ink. */
export function isWhite(paint: Paint): boolean {
  if (paint.pattern) return false;
  const inks = processValues(paint);
  if (inks) return Math.max(...inks) < 0.005;
  const rgb = rgbValues(paint);
  if (rgb) return Math.min(...rgb) > 0.995;
  const { space, values } = paint;
  if (space.family === 'Separation' || space.family === 'DeviceN')
    return space.names[0] !== 'None' && Math.max(...values) < 0.005;
  return space.family === 'Lab' && (values[0] ?? 0) > 99.5;
}

export const spotNames = (space: ColorSpace): readonly string[] =>
  space.family === 'Separation' || space.family === 'DeviceN'
    ? space.names.filter((name) => !['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None'].includes(name))
    : [];

/** Matches names against patterns with `*` for any characters, ignoring case. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map(
    (pattern) =>
      new RegExp(
        `^${pattern
          .split('*')
          .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
        'i',
      ),
  );
  return (name) => tests.some((test) => test.test(name));
}

/** A colour as the change log stores it: `C 40 M 30 Y 20 K 100`, `RGB 0 0 0`, `PANTONE 185 C 100 %`. */
export function colourName({ space, values, pattern }: Paint): string {
  if (pattern) return 'Pattern';
  const percent = (value: number): string => String(Math.round(value * 1000) / 10);
  if (space.family === 'DeviceCMYK' || (space.family === 'ICCBased' && space.components === 4))
    return `C ${percent(values[0] ?? 0)} M ${percent(values[1] ?? 0)} Y ${percent(values[2] ?? 0)} K ${percent(values[3] ?? 0)}`;
  if (space.family === 'Separation') return `${space.names[0]} ${percent(values[0] ?? 0)} %`;
  if (space.family === 'DeviceN')
    return space.names.map((name, index) => `${name} ${percent(values[index] ?? 0)} %`).join(' + ');
  const short = {
    DeviceGray: 'Gray',
    DeviceRGB: 'RGB',
    CalRGB: 'CalRGB',
    CalGray: 'CalGray',
    Lab: 'Lab',
    ICCBased: space.components === 1 ? 'Gray' : 'RGB',
  } as const;
  const isRgb = space.components === 3 && space.family !== 'Lab';
  return `${short[space.family as keyof typeof short] ?? space.family} ${values.map((value) => (isRgb ? String(Math.round(value * 255)) : String(Math.round(value * 1000) / 1000))).join(' ')}`;
}
