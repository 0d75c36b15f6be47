/** Barcode symbols as rectangles, in modules (the width of the narrowest bar). */

export interface BarcodeBar {
  x: number;
  /** From the bottom; of a linear symbol 0. */
  y: number;
  width: number;
  /** Of a linear symbol 1: its bars may be of any height. */
  height: number;
  /** A guard bar of EAN and UPC, which is longer than the others where digits stand below. */
  isGuard: boolean;
}

/** A symbol without its quiet zone. */
export interface BarcodeSymbol {
  width: number;
  /** Rows of a matrix; null for a linear symbol. */
  rows: number | null;
  bars: readonly BarcodeBar[];
}

export interface BarcodeOptions {
  /** Level of error correction of a QR code. */
  errorCorrection?: 'L' | 'M' | 'Q' | 'H';
}

/** A text that the symbology cannot hold. `code` is the name of the rule in the library. */
export class BarcodeFault extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.name = 'BarcodeFault';
    this.code = code;
  }
}

/**
 * Encodes a text.
 * @param symbology by its name in bwip-js: `qrcode`, `code128`, `ean13`
 * @throws BarcodeFault
 */
export type EncodeBarcode = (symbology: string, text: string, options?: BarcodeOptions) => BarcodeSymbol;

/** Loads the encoder: about 1 MB, which only files with barcodes need. */
export async function loadBarcodes(): Promise<EncodeBarcode> {
  const { default: symbologies } = await import('bwip-js');
  return (bcid, text, { errorCorrection } = {}) => {
    const raw = (): readonly RawSymbol[] =>
      symbologies.raw({
        bcid,
        ...withCharacterSet(bcid, text),
        // The guard bars of EAN and UPC are marked only where the digits are wanted.
        includetext: true,
        ...(errorCorrection && { eclevel: errorCorrection }),
      }) as RawSymbol[];
    const [symbol] = faultOf(raw);
    return symbol?.pixs ? matrix(symbol) : linear(symbol ?? {});
  };
}

/** Result of bwip-js `raw`: a matrix of dots (`pixs`), or alternating widths of bars and spaces (`sbs`). */
interface RawSymbol {
  pixs?: number[];
  pixx?: number;
  pixy?: number;
  sbs?: number[];
  /** The lower ends of bars; those that reach further down are below 0. */
  bbs?: number[];
}

/** Symbologies whose text may have any character, and says so by an extended channel interpretation. */
const wide: ReadonlySet<string> = new Set(['qrcode', 'datamatrix']);

/** What is not ASCII is declared as UTF-8 (ECI 26), for readers otherwise guess. */
const withCharacterSet = (bcid: string, text: string): { text: string; parsefnc?: boolean } =>
  wide.has(bcid) && /[^ -~]/.test(text)
    ? { text: `^ECI000026${text.replaceAll('^', '^^')}`, parsefnc: true }
    : { text };

function faultOf<T>(encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    const [, code] = /^bwipp\.(\w+)#/.exec(error instanceof Error ? error.message : '') ?? [];
    throw code === undefined ? error : new BarcodeFault(code);
  }
}

/** Adjacent dots of a row are one rectangle, so that no hairline appears between them. */
function matrix({ pixs = [], pixx = 1, pixy = 1 }: RawSymbol): BarcodeSymbol {
  const bars: BarcodeBar[] = [];
  for (let row = 0; row < pixy; row += 1) {
    for (let column = 0; column < pixx; column += 1) {
      if (!pixs[row * pixx + column]) continue;
      const x = column;
      while (column + 1 < pixx && pixs[row * pixx + column + 1]) column += 1;
      bars.push({ x, y: pixy - 1 - row, width: column + 1 - x, height: 1, isGuard: false });
    }
  }
  return { width: pixx, rows: pixy, bars };
}

function linear({ sbs = [], bbs = [] }: RawSymbol): BarcodeSymbol {
  const bars: BarcodeBar[] = [];
  let x = 0;
  for (const [index, width] of sbs.entries()) {
    // Bars have even places, spaces odd ones.
    if (index % 2 === 0) bars.push({ x, y: 0, width, height: 1, isGuard: (bbs[index / 2] ?? 0) < 0 });
    x += width;
  }
  return { width: x, rows: null, bars };
}
