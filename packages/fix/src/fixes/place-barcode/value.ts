/** What a symbology holds: the value as it is encoded and printed, or the code of what is wrong with it. */
import { BarcodeFault, type BarcodeSymbol, type EncodeBarcode } from '@pdf2press/pdf';
import type { z } from 'zod';
import { failed } from '../../kind/runner.ts';
import type { placeBarcode } from './contract.ts';

export type Settings = z.output<(typeof placeBarcode)['settings']>;
type Symbology = Settings['symbology'];

interface Rules {
  /** Its name in the encoder. */
  encoder: string;
  /** Modules that stay free to the left and right of bars, or around a matrix (standards of each symbology). */
  quiet: readonly [left: number, right: number];
  /** Recommended height of the bars in modules; null: at least 6.35 mm and 15 % of the width. */
  height: number | null;
  /** Digits with the check digit. */
  digits?: number;
  /** Characters that it can hold. */
  characters?: RegExp;
}

/** GS1 General Specifications 5.2, ISO/IEC 15417, 16388, 16390, 18004 and 16022. */
export const rulesOf: Readonly<Record<Symbology, Rules>> = {
  QR: { encoder: 'qrcode', quiet: [4, 4], height: null },
  'Data Matrix': { encoder: 'datamatrix', quiet: [1, 1], height: null },
  'GS1 DataMatrix': { encoder: 'gs1datamatrix', quiet: [1, 1], height: null },
  'EAN-13': { encoder: 'ean13', quiet: [11, 7], height: 22.85 / 0.33, digits: 13 },
  'EAN-8': { encoder: 'ean8', quiet: [7, 7], height: 18.23 / 0.33, digits: 8 },
  'UPC-A': { encoder: 'upca', quiet: [9, 9], height: 22.85 / 0.33, digits: 12 },
  'Code 128': { encoder: 'code128', quiet: [10, 10], height: null, characters: /^[ -~]*$/ },
  'GS1-128': { encoder: 'gs1-128', quiet: [10, 10], height: null },
  'Code 39': { encoder: 'code39', quiet: [10, 10], height: null, characters: /^[0-9A-Z .$/+%-]*$/ },
  'ITF-14': { encoder: 'itf14', quiet: [10, 10], height: null, digits: 14 },
};

/** Most characters of a GS1-128 symbol, with the separators between its elements. */
const mostOfGs1 = 48;

/** The check digit of GS1 numbers: weights 3 and 1 from the right, complement to ten. */
export function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/**
 * The value as it is encoded: numbers with their check digit, without the spaces and hyphens that people write.
 * @throws FixStop `digits`, `length`, `checkDigit`, `characters`, `tooLong`
 */
export function encodedValue(symbology: Symbology, text: string, page: number): string {
  const { digits, characters } = rulesOf[symbology];
  const about = { page, symbology, value: text };
  if (characters && !characters.test(text)) throw failed('characters', about);
  if (symbology === 'GS1-128' && lengthOfGs1(text) > mostOfGs1) throw failed('tooLong', about);
  if (digits === undefined) return text;
  const plain = text.replace(/[\s-]/g, '');
  if (!/^\d+$/.test(plain)) throw failed('digits', about);
  if (plain.length !== digits && plain.length !== digits - 1)
    throw failed('length', { ...about, least: digits - 1, most: digits });
  const body = plain.slice(0, digits - 1);
  const check = checkDigit(body);
  if (plain.length === digits && plain !== body + check) throw failed('checkDigit', { ...about, expected: check });
  return body + check;
}

/** Elements that begin with these have a length that readers know, and need no separator (GS1 General Specifications 7.8.5). */
const ofKnownLength = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/;

/** Characters of `(01)…(10)…` with the separators between elements. */
function lengthOfGs1(text: string): number {
  const elements = [...text.matchAll(/\((\d{2,4})\)([^(]*)/g)].map(([, key = '', value = '']) => key + value);
  const separators = elements.slice(0, -1).filter((element) => !ofKnownLength.test(element));
  return elements.join('').length + separators.length;
}

/**
 * @throws FixStop `gs1CheckDigit`, `gs1`, `tooLong`
 */
export function symbolOf(
  encode: EncodeBarcode,
  { symbology, errorCorrection }: Settings,
  value: string,
  page: number,
): BarcodeSymbol {
  const { encoder } = rulesOf[symbology];
  try {
    return encode(encoder, value, symbology === 'QR' ? { errorCorrection } : {});
  } catch (error) {
    if (!(error instanceof BarcodeFault)) throw error;
    const about = { page, symbology, value };
    if (error.code === 'GS1badChecksum') throw failed('gs1CheckDigit', about);
    throw failed(symbology.startsWith('GS1') && error.code.startsWith('GS1') ? 'gs1' : 'tooLong', about);
  }
}
