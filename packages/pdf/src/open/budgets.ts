/** What a PDF may ask of us before it is refused (reliability design §2.6); engines do not check this themselves. */
export interface Budgets {
  pages: number;
  objects: number;
  /** Cross-reference sections chained by /Prev. */
  xrefSections: number;
  /** Bytes all decoded streams of one reader may come to. */
  expandedBytes: number;
  /** One decoded stream: it is held in memory. */
  streamBytes: number;
  /** Decoded : encoded size of one stream, once it is larger than `ratioFloorBytes`. */
  expansionRatio: number;
  ratioFloorBytes: number;
  /** Longest page side in points: 200 in × 72; with UserUnit applied, `pageSidePhysical`. */
  pageSide: number;
  pageSidePhysical: number;
  fonts: number;
  images: number;
  /** Operators executed on one page, forms and patterns included: a nest of forms can multiply without end. */
  operatorsPerPage: number;
  fileBytes: number;
}

export const defaultBudgets: Budgets = {
  pages: 5000,
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
  // The engine counts offsets in 31 bits.
  fileBytes: 2 ** 31 - 1,
};
