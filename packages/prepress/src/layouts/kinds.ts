import type { Leaf } from './placing.ts';

/** Pages as kinds of one piece: each page by itself, or on two-sided work a front with its back. */
export const kindsOf = (pages: readonly number[], isDuplex: boolean): Leaf[] => {
  const sides = isDuplex ? 2 : 1;
  return Array.from({ length: Math.ceil(pages.length / sides) }, (_, kind) => ({
    front: pages[kind * sides] ?? 0,
    back: isDuplex ? (pages[kind * sides + 1] ?? 0) : 0,
  }));
};
