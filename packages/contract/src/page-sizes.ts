/** The allowed numbers of rows per page of a list. */
export const pageSizes = [10, 25, 50, 100] as const;
