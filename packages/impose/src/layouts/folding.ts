/*
 * Page positions are computed by folding a sheet, not taken from tables, so that they always agree with the folds.
 */

/** The half (left, right, top, bottom) that is folded behind the other. */
export type Fold = 'L' | 'R' | 'T' | 'B';
export type BindingEdge = 'Left' | 'Right' | 'Top';
export type Edge = 'left' | 'right' | 'top' | 'bottom';

/** One cell of the unfolded sheet, seen from the front. */
export interface FoldCell {
  row: number;
  column: number;
  /** Page of the folded section, from 1, on the front. */
  front: number;
  /** The page on the back. */
  back: number;
  /** 180 where the page is upside down on the sheet. */
  rotation: 0 | 180;
  /** Additional rotation of the back: 180 for top-bound books, which are printed head to foot. */
  backTurn: 0 | 180;
  /** The edge at the spine, seen from the front. */
  spine: Edge;
}

export interface FoldScheme {
  rows: number;
  columns: number;
  folds: Fold[];
  /** Name in the fold catalogue of JDF 1.7. */
  foldCatalog: string;
  cells: FoldCell[];
  /** Fold lines by the gap they lie in: after column (`x`) or row (`y`) `index`, counted from 0. */
  creases: { axis: 'x' | 'y'; index: number }[];
}

interface Layer {
  row: number;
  column: number;
  isFrontUp: boolean;
  isHeadDown: boolean;
}

/** By pages per section: grid, folds (the last one is the spine) and name in the fold catalogue of JDF 1.7. */
export const foldCatalogue: Readonly<
  Record<number, { rows: number; columns: number; folds: Fold[]; foldCatalog: string }>
> = {
  4: { rows: 1, columns: 2, folds: ['L'], foldCatalog: 'F4-1' },
  8: { rows: 2, columns: 2, folds: ['T', 'L'], foldCatalog: 'F8-7' },
  16: { rows: 2, columns: 4, folds: ['L', 'T', 'L'], foldCatalog: 'F16-6' },
  32: { rows: 4, columns: 4, folds: ['T', 'L', 'T', 'L'], foldCatalog: 'F32-9' },
};

/** Folds one half of a grid of piles behind the other half. A pile lists its layers from the top. */
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

/**
 * The gaps of the flat sheet that a fold runs through: between layers of the two middle piles that are neighbours on
 * the sheet.
 */
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
 * The page positions of a folded sheet; null for a page count without a scheme. Pages are numbered in reading order of
 * the folded section: the top leaf has pages 1 and 2.
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
      // A right-hand page has its spine on the left, unless it is upside down.
      spine: layer.isFrontUp === layer.isHeadDown ? 'right' : 'left',
    };
  });
  return bound({ ...known, cells, creases }, bindingEdge);
}

/** Converts the left-bound scheme: mirrored for the right, the whole sheet rotated by 90° clockwise for the top. */
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
 * The page of the whole section, from 1, for page `local`, from 1, of its sheet `sheet` (0 is outermost), when sheets of
 * `sheetPages` pages are nested into a section of `sectionPages`.
 */
export const nestedPage = (local: number, sheet: number, sheetPages: number, sectionPages: number): number =>
  local <= sheetPages / 2
    ? (sheet * sheetPages) / 2 + local
    : sectionPages - (sheet * sheetPages) / 2 - (sheetPages - local);
