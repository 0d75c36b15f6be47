/** The symbologies that are read, with what their standards ask of every symbol. */

/** What limits of the module size a symbology has: retail, other linear codes, matrix codes. */
export type SymbolKind = 'retail' | 'linear' | 'matrix';

export interface Symbology {
  /** Name for people. */
  readonly name: string;
  readonly kind: SymbolKind;
  /** Modules of unprinted space before and after the symbol in the direction of reading; matrix codes: on every side. */
  readonly quiet: readonly [before: number, after: number];
  /** Width in modules; null where it depends on the content. */
  readonly modules: number | null;
}

/**
 * By the reader's name. Quiet zones: GS1 General Specifications 5.2.3.4 (EAN, UPC), ISO/IEC 15417 4.3.2 f (Code 128),
 * ISO/IEC 16388 4.3.1 (Code 39), ISO/IEC 16390 4.4 (Interleaved 2 of 5), ISO/IEC 16022 7.1 (Data Matrix), ISO/IEC 18004 6.3.8
 * (QR Code, Micro QR Code). A UPC-A symbol is read as the EAN-13 symbol with a leading 0 that it is.
 */
export const symbologies = {
  EAN13: { name: 'EAN-13', kind: 'retail', quiet: [11, 7], modules: 95 },
  EAN8: { name: 'EAN-8', kind: 'retail', quiet: [7, 7], modules: 67 },
  UPCA: { name: 'UPC-A', kind: 'retail', quiet: [9, 9], modules: 95 },
  UPCE: { name: 'UPC-E', kind: 'retail', quiet: [9, 7], modules: 51 },
  Code128: { name: 'Code 128', kind: 'linear', quiet: [10, 10], modules: null },
  Code39: { name: 'Code 39', kind: 'linear', quiet: [10, 10], modules: null },
  ITF: { name: 'ITF', kind: 'linear', quiet: [10, 10], modules: null },
  DataMatrix: { name: 'Data Matrix', kind: 'matrix', quiet: [1, 1], modules: null },
  QRCode: { name: 'QR Code', kind: 'matrix', quiet: [4, 4], modules: null },
  MicroQRCode: { name: 'Micro QR Code', kind: 'matrix', quiet: [2, 2], modules: null },
} as const satisfies Readonly<Record<string, Symbology>>;
export type SymbologyKey = keyof typeof symbologies;

export const symbologyKeys = Object.keys(symbologies) as SymbologyKey[];

/** The names, which settings have: they are the same in every language. */
export const symbologyNames = symbologyKeys.map((key) => symbologies[key].name);

export const keysOf = (names: readonly string[]): SymbologyKey[] =>
  symbologyKeys.filter((key) => names.includes(symbologies[key].name));

/** A UPC-A symbol is an EAN-13 symbol that starts with 0 and has wider quiet zones on the right. */
export const symbologyOf = (format: SymbologyKey, text: string): Symbology =>
  format === 'EAN13' && /^0\d{12}$/.test(text) ? symbologies.UPCA : symbologies[format];
