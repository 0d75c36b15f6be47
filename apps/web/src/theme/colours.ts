/** Colour arithmetic on `#rrggbb`: contrast by WCAG 2.2 (1.4.3), and shades that are readable whatever primary is chosen. */

export type Hex = `#${string}`;
type Rgb = readonly [number, number, number];

export const white: Hex = '#ffffff';
export const nearBlack: Hex = '#0b1416';
export const textContrast = 4.5;

export const isHex = (text: string): text is Hex => /^#[0-9a-f]{6}$/i.test(text);

const channel = (hex: Hex, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
const toRgb = (hex: Hex): Rgb => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];
const toHex = (rgb: readonly number[]): Hex =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** `share` of `a` (0 to 1), the rest `b`, in sRGB. */
export function mix(a: Hex, b: Hex, share: number): Hex {
  const [x, y] = [toRgb(a), toRgb(b)];
  return toHex(x.map((part, at) => part * share + (y[at] ?? 0) * (1 - share)));
}

/** Relative luminance, 0 to 1. */
export function luminance(hex: Hex): number {
  const linear = (part: number): number => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const [r, g, b] = toRgb(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Contrast ratio, 1 to 21. */
export function contrast(a: Hex, b: Hex): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** `colour`, or the nearest shade of it (towards black or white) that reaches `ratio` on every one of `grounds`. */
export function ensure(colour: Hex, grounds: Hex | readonly Hex[], ratio = textContrast): Hex {
  const all = typeof grounds === 'string' ? [grounds] : grounds;
  const suits = (shade: Hex) => all.every((ground) => contrast(shade, ground) >= ratio);
  if (suits(colour)) return colour;
  const isDarkGround = luminance(all[0] ?? white) < 0.18;
  const end: Hex = isDarkGround ? white : '#000000';
  for (let share = 0.98; share > 0; share -= 0.02) {
    const shade = mix(colour, end, share);
    if (suits(shade)) return shade;
  }
  return end;
}

/** White or near-black, whichever reads better on a fill. */
export const onColour = (fill: Hex): Hex => (contrast(white, fill) >= contrast(nearBlack, fill) ? white : nearBlack);

/** Ten shades from light to dark around a colour, for the theme's palette. */
export function ramp(colour: Hex) {
  const tint = (share: number): Hex => mix(colour, white, share);
  const shade = (share: number): Hex => mix(colour, '#000000', share);
  return [
    tint(0.08),
    tint(0.18),
    tint(0.36),
    tint(0.56),
    tint(0.78),
    colour,
    shade(0.86),
    shade(0.74),
    shade(0.62),
    shade(0.5),
  ] as const;
}

export interface PrimaryShades {
  /** The colour as configured: marks, charts, focus rings' hue. */
  primary: Hex;
  /** Text and links on surface, canvas and on `soft`. */
  strong: Hex;
  stronger: Hex;
  /** Filled buttons and their text. */
  fill: Hex;
  fillHover: Hex;
  onFill: Hex;
  /** A tint behind `strong`. */
  soft: Hex;
  softHover: Hex;
}

/** Everything drawn in the primary colour, with enough contrast in its theme. */
export function primaryShades(primary: Hex, theme: { isDark: boolean; surface: Hex; canvas: Hex }): PrimaryShades {
  const { isDark, surface, canvas } = theme;
  const soft = mix(primary, surface, isDark ? 0.18 : 0.1);
  const softHover = mix(primary, surface, isDark ? 0.26 : 0.16);
  const strong = ensure(primary, [surface, canvas, soft, softHover]);
  const fill = isDark ? ensure(primary, nearBlack) : ensure(primary, white);
  const end: Hex = isDark ? white : '#000000';
  return {
    primary,
    strong,
    stronger: mix(strong, end, isDark ? 0.8 : 0.84),
    fill,
    fillHover: mix(fill, end, isDark ? 0.86 : 0.86),
    onFill: isDark ? nearBlack : white,
    soft,
    softHover,
  };
}
