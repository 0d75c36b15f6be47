/** Resource limits for one PDF. A file that exceeds one is refused, because MuPDF itself has no such limits. */
export interface Budgets {
  pages: number;
  objects: number;
  /** Cross-reference sections linked by /Prev. */
  xrefSections: number;
  /** Total size of all decoded streams that one open file may produce. */
  expandedBytes: number;
  /** Size of one decoded stream, which is held in memory. */
  streamBytes: number;
  /** Largest ratio of decoded to encoded size of one stream. Only checked for streams larger than `ratioFloorBytes`. */
  expansionRatio: number;
  ratioFloorBytes: number;
  /**
   * Longest page side in points: 200 inches, the limit of PDF 1.6 (ISO 32000-1, annex C). `pageSidePhysical` is the
   * limit after UserUnit is applied.
   */
  pageSide: number;
  pageSidePhysical: number;
  fonts: number;
  images: number;
  /**
   * Operators executed on one page, including those in forms and patterns. Nested forms can multiply this number
   * without adding to the file size.
   */
  operatorsPerPage: number;
  fileBytes: number;
}

/** Limits used where the caller sets none. */
export const defaultBudgets: Budgets = {
  pages: 20_000,
  objects: 2_000_000,
  xrefSections: 1000,
  expandedBytes: 2 ** 30,
  streamBytes: 256 * 2 ** 20,
  expansionRatio: 1000,
  ratioFloorBytes: 32 * 2 ** 20,
  pageSide: 14_400,
  // 5 m
  pageSidePhysical: 14_174,
  fonts: 2000,
  images: 50_000,
  operatorsPerPage: 10_000_000,
  // MuPDF stores file offsets in 31 bits.
  fileBytes: 2 ** 31 - 1,
};
