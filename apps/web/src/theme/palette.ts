import type { Hex } from './colours.ts';

/** Colours of the two themes. Every text colour has a contrast of 4.5 : 1 on surface and canvas; colours.test.ts checks it. */
export interface Palette {
  canvas: Hex;
  surface: Hex;
  raised: Hex;
  /** Under the pointer, and behind table heads. */
  hover: Hex;
  text: Hex;
  dimmed: Hex;
  /** Borders of controls: 3:1. */
  border: Hex;
  hairline: Hex;
  success: Hex;
  successSoft: Hex;
  info: Hex;
  infoSoft: Hex;
  warning: Hex;
  warningSoft: Hex;
  error: Hex;
  errorSoft: Hex;
  neutralSoft: Hex;
}

export const light: Palette = {
  canvas: '#f6f8f8',
  surface: '#ffffff',
  raised: '#ffffff',
  hover: '#f1f5f5',
  text: '#22343a',
  dimmed: '#56656b',
  border: '#7b8a8f',
  hairline: '#dfe5e6',
  success: '#157a3c',
  successSoft: '#e8f6ee',
  info: '#1d63ad',
  infoSoft: '#e8f1fb',
  warning: '#8a5a00',
  warningSoft: '#fff4dc',
  error: '#b42318',
  errorSoft: '#fdecec',
  neutralSoft: '#eef2f2',
};

export const dark: Palette = {
  canvas: '#141b1e',
  surface: '#1b2427',
  raised: '#222d31',
  hover: '#232e32',
  text: '#e6eeef',
  dimmed: '#9fb0b5',
  border: '#76888e',
  hairline: '#36454a',
  success: '#5fd08c',
  successSoft: '#1d3429',
  info: '#7ab8f5',
  infoSoft: '#1d3042',
  warning: '#f2b84b',
  warningSoft: '#38301c',
  error: '#ff8a80',
  errorSoft: '#3c2626',
  neutralSoft: '#2a363a',
};

/** Around a page, the same in both themes: colour is judged on a neutral ground. */
export const pasteboard: Hex = '#3a4346';
export const amber: Hex = '#f59e0b';

export const paletteOf = (isDark: boolean): Palette => (isDark ? dark : light);
