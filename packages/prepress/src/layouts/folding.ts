/*
 * Fold schemes are not typed in as tables of page numbers: the sheet is folded here, and the numbers follow. A scheme
 * can therefore not contradict its folds (spec/impose §4.4; the tables there are the tests).
 */

/** Which half goes behind the other. */
export type Fold = 'L' | 'R' | 'T' | 'B';
export type BindingEdge = 'Left' | 'Right' | 'Top';
export type Edge = 'left' | 'right' | 'top' | 'bottom';

/** One place of the unfolded sheet, as seen from the front. */
export interface FoldCell {
  row: number;
  column: number;
  /** Page of the folded section, from 1, on the front of the sheet here. */
  front: number;
  /** The page behind it. */
  back: number;
  /** 180 where the head points down on the sheet. */
  rotation: 0 | 180;
  /** What the back is turned by on top of that: top-bound books are printed head to foot. */
  backTurn: 0 | 180;
  /** Where the spine lies, seen from the front. */
  spine: Edge;
}

export interface FoldScheme {
  rows: number;
  columns: number;
  folds: Fold[];
  /** JDF FoldCatalog name. */
  foldCatalog: string;
  cells: FoldCell[];
  /** Creases: the gap behind column (or row) `index`. */
  creases: { axis: 'x' | 'y'; index: number }[];
}

interface Layer {
  row: number;
  column: number;
  isFrontUp: boolean;
  isHeadDown: boolean;
}

/** Sections by their number of pages: grid, folds (the last one is the spine) and the name in the JDF fold catalogue. */
export const foldCatalogue: Readonly<
  Record<number, { rows: number; columns: number; folds: Fold[]; foldCatalog: string }>
> = {
  4: { rows: 1, columns: 2, folds: ['L'], foldCatalog: 'F4-1' },
  8: { rows: 2, columns: 2, folds: ['T', 'L'], foldCatalog: 'F8-7' },
  16: { rows: 2, columns: 4, folds: ['L', 'T', 'L'], foldCatalog: 'F16-6' },
  32: { rows: 4, columns: 4, folds: ['T', 'L', 'T', 'L'], foldCatalog: 'F32-9' },
};

/** Folds one half of a grid of piles behind the other half. */
function foldOnce(piles: Layer[][][], fold: Fold): Layer[][][] {
  const rows = piles.length;
  const columns = piles[0]?.length ?? 0;
  const isAcross = fold === 'L' || fold === 'R';
  const turned = (pile: Layer[]): Layer[] =>
    pile
      .map((layer) => ({
        ...layer,
        isFrontUp: !layer.isFrontUp,
        isHeadDown: isAcross ? layer.isHeadDown : !layer.isHeadDown,
      }))
      .reverse();
  const at = (row: number, column: number): Layer[] => piles[row]?.[column] ?? [];
  const [keptRows, keptColumns] = isAcross ? [rows, columns / 2] : [rows / 2, columns];
  return Array.from({ length: keptRows }, (_, r) =>
    Array.from({ length: keptColumns }, (_, c) => {
      const row = fold === 'T' ? r + rows / 2 : r;
      const column = fold === 'L' ? c + columns / 2 : c;
      const behind = isAcross ? at(row, columns - 1 - column) : at(rows - 1 - row, column);
      return [...at(row, column), ...turned(behind)];
    }),
  );
}

/** Which gaps of the flat sheet a fold creases: neighbours on the sheet that meet at the fold. */
function creasesOf(piles: Layer[][][], fold: Fold): FoldScheme['creases'] {
  const axis = fold === 'L' || fold === 'R' ? 'x' : 'y';
  const middle = axis === 'x' ? (piles[0]?.length ?? 0) / 2 : piles.length / 2;
  const [one, other] =
    axis === 'x' ? [piles[0]?.[middle - 1], piles[0]?.[middle]] : [piles[middle - 1]?.[0], piles[middle]?.[0]];
  const places = (pile: Layer[] = []) => pile.map((layer) => (axis === 'x' ? layer.column : layer.row));
  const there = new Set(places(other));
  return [...new Set(places(one).map((place) => (there.has(place + 1) ? place : place - 1)))].map((index) => ({
    axis,
    index,
  }));
}

const turnedClockwise: Record<Fold, Fold> = { L: 'T', T: 'R', R: 'B', B: 'L' };
const mirrored: Record<Fold, Fold> = { L: 'R', R: 'L', T: 'T', B: 'B' };
const mirroredEdge: Record<Edge, Edge> = { left: 'right', right: 'left', top: 'top', bottom: 'bottom' };
const clockwiseEdge: Record<Edge, Edge> = { left: 'top', top: 'right', right: 'bottom', bottom: 'left' };

/**
 * Folds a flat sheet and reads off which page lies where. Pages are numbered through the folded section as it opens:
 * the leaf on top has 1 in front and 2 behind.
 */
export function foldScheme(pagesPerSection: number, bindingEdge: BindingEdge): FoldScheme | null {
  const known = foldCatalogue[pagesPerSection];
  if (!known) return null;
  let piles: Layer[][][] = Array.from({ length: known.rows }, (_, row) =>
    Array.from({ length: known.columns }, (_, column) => [{ row, column, isFrontUp: true, isHeadDown: false }]),
  );
  const creases: FoldScheme['creases'] = [];
  for (const fold of known.folds) {
    creases.push(...creasesOf(piles, fold));
    piles = foldOnce(piles, fold);
  }
  const cells = (piles[0]?.[0] ?? []).map((layer, leaf): FoldCell => {
    const [recto, verso] = [2 * leaf + 1, 2 * leaf + 2];
    return {
      row: layer.row,
      column: layer.column,
      front: layer.isFrontUp ? recto : verso,
      back: layer.isFrontUp ? verso : recto,
      rotation: layer.isHeadDown ? 180 : 0,
      backTurn: 0,
      // A right-hand page has its spine on the left, unless it lies upside down.
      spine: layer.isFrontUp === layer.isHeadDown ? 'right' : 'left',
    };
  });
  return bound({ ...known, cells, creases }, bindingEdge);
}

/** The left-bound scheme for another spine: mirrored for the right, a quarter turn of the whole sheet for the top. */
function bound(scheme: FoldScheme, edge: BindingEdge): FoldScheme {
  const { rows, columns } = scheme;
  const byPlace = (a: FoldCell, b: FoldCell) => a.row - b.row || a.column - b.column;
  if (edge === 'Left') return { ...scheme, cells: scheme.cells.sort(byPlace) };
  if (edge === 'Right') {
    return {
      ...scheme,
      folds: scheme.folds.map((fold) => mirrored[fold]),
      creases: scheme.creases.map((crease) =>
        crease.axis === 'x' ? { axis: 'x', index: columns - 2 - crease.index } : crease,
      ),
      cells: scheme.cells
        .map((cell) => ({ ...cell, column: columns - 1 - cell.column, spine: mirroredEdge[cell.spine] }))
        .sort(byPlace),
    };
  }
  return {
    ...scheme,
    rows: columns,
    columns: rows,
    folds: scheme.folds.map((fold) => turnedClockwise[fold]),
    creases: scheme.creases.map(({ axis, index }) =>
      axis === 'x' ? { axis: 'y', index } : { axis: 'x', index: rows - 2 - index },
    ),
    cells: scheme.cells
      .map(
        (cell): FoldCell => ({
          ...cell,
          row: cell.column,
          column: rows - 1 - cell.row,
          backTurn: 180,
          spine: clockwiseEdge[cell.spine],
        }),
      )
      .sort(byPlace),
  };
}

/**
 * The page of the whole section for page `local` of its sheet `sheet` (0 is outermost) when sheets of `sheetPages`
 * pages are nested into a section of `sectionPages` (spec/impose §4.4).
 */
export const nestedPage = (local: number, sheet: number, sheetPages: number, sectionPages: number): number =>
  local <= sheetPages / 2
    ? (sheet * sheetPages) / 2 + local
    : sectionPages - (sheet * sheetPages) / 2 - (sheetPages - local);
