/** The units an operator may choose. Internally every length is in points. */
export const units = ['Inches', 'Millimeters', 'Centimeters', 'Meters', 'Feet'] as const;
export type Unit = (typeof units)[number];

const pointsPerUnit: Record<Unit, number> = {
  Inches: 72,
  Millimeters: 72 / 25.4,
  Centimeters: 720 / 25.4,
  Meters: 72000 / 25.4,
  Feet: 864,
};

const unitBySuffix: Record<string, number> = {
  pt: 1,
  in: 72,
  '"': 72,
  mm: pointsPerUnit.Millimeters,
  cm: pointsPerUnit.Centimeters,
  m: pointsPerUnit.Meters,
  ft: 864,
  "'": 864,
};

export const unitSymbols: Record<Unit, string> = {
  Inches: 'in',
  Millimeters: 'mm',
  Centimeters: 'cm',
  Meters: 'm',
  Feet: 'ft',
};

/** Converts a value in `unit` to points (float64, not rounded: only the shown value is rounded). */
export const toPoints = (value: number, unit: Unit): number => value * pointsPerUnit[unit];

/** Converts points to `unit`, unrounded. */
export const fromPoints = (points: number, unit: Unit): number => points / pointsPerUnit[unit];

/**
 * Parses a length as typed: `3mm`, `0.125in`, `12 pt`, `3,5 mm`; a bare number is in `defaultUnit`. Returns points, or null
 * when it is not a length.
 */
export function parseLength(text: string, defaultUnit: Unit | 'pt' = 'pt'): number | null {
  const match = /^\s*([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+))\s*(pt|in|mm|cm|m|ft|"|')?\s*$/i.exec(text);
  if (!match?.[1]) return null;
  const value = Number(match[1].replace(',', '.'));
  const suffix = match[2]?.toLowerCase();
  const factor = suffix ? unitBySuffix[suffix] : defaultUnit === 'pt' ? 1 : pointsPerUnit[defaultUnit];
  return factor === undefined || !Number.isFinite(value) ? null : value * factor;
}

/** Number of decimals with which a length is shown, by unit. */
export const lengthDecimals: Readonly<Record<Unit, number>> = {
  Inches: 3,
  Millimeters: 2,
  Centimeters: 3,
  Meters: 4,
  Feet: 4,
};

/** By language and decimals: to make a formatter takes a hundred times as long as to use it, and a log has hundreds of numbers. */
const formatters = new Map<string, Intl.NumberFormat>();

/** A number as a language writes it, rounded to `decimals`: `3.5`, `3,5`. */
export function formatNumber(value: number, decimals: number, locale = 'en'): string {
  // A number that clearly rounds to a whole one below a thousand is written the same in every language. The first formatter
  // of a process takes longer than all else that a command says of a small file.
  const whole = Math.round(value);
  if (Math.abs(whole) < 1000 && Math.abs(value - whole) * 10 ** decimals < 0.4) return String(whole);
  const key = `${locale} ${decimals}`;
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
  formatters.set(key, formatter);
  return formatter.format(value);
}

/** Formats points in a unit, rounded for display: `3.5 mm`. */
export const formatLength = (points: number, unit: Unit, locale = 'en'): string =>
  `${formatNumber(fromPoints(points, unit), lengthDecimals[unit], locale)} ${unitSymbols[unit]}`;

const byteNames = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Formats a size in units of 1024 with two decimals, Bytes to YB. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return '0 Bytes';
  const step = Math.min(Math.floor(Math.log2(bytes) / 10), byteNames.length - 1);
  return step === 0 ? `${bytes} Bytes` : `${(bytes / 1024 ** step).toFixed(2)} ${byteNames[step]}`;
}
