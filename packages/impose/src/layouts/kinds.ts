import type { Leaf } from './placing.ts';

/** Groups pages into kinds of pieces: one page each, or a front and a back on two-sided work. */
export const kindsOf = (pages: readonly number[], isDuplex: boolean): Leaf[] => {
  const sides = isDuplex ? 2 : 1;
  return Array.from({ length: Math.ceil(pages.length / sides) }, (_, kind) => ({
    front: pages[kind * sides] ?? 0,
    back: isDuplex ? (pages[kind * sides + 1] ?? 0) : 0,
  }));
};
