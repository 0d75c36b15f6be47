/**
 * How words lie over the pages of a copy of low resolution, wherever they are drawn: rows that slant up to the right, of which
 * every second one is moved by half a word.
 */
export const watermarkLayout = {
  /** Height of the letters as a part of the longer side of the page. */
  letterPart: 1 / 32,
  /** Between the words of a row, letter heights. */
  gap: 3,
  /** From row to row, letter heights. */
  rowStep: 4.5,
  /** By which rows rise, degrees. */
  degrees: 30,
} as const;
