/*
 * Page positions are computed by folding a sheet, not taken from tables, so that they always agree with the folds.
 */

/** The side (left, right, top, bottom) whose part is folded onto the rest. */
export type Fold = 'L' | 'R' | 'T' | 'B';
/** How many columns or rows a fold takes from its side, and whether it lays them over the rest in place of behind. */
export interface FoldStep {
  side: Fold;
  panels: number;
  isOver: boolean;
}
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
  /** The edges at the spine and at the head of the book, seen from the front. */
  spine: Edge;
  head: Edge;
}

export interface FoldScheme {
  rows: number;
  columns: number;
  folds: FoldStep[];
  /** Name in the fold catalogue of JDF 1.7. */
  foldCatalog?: string;
  cells: FoldCell[];
  /** Fold lines by the gap they lie in: after column (`x`) or row (`y`) `index`, counted from 0. */
  creases: { axis: 'x' | 'y'; index: number }[];
}

/** A layer of folded paper: the cell of the flat sheet it is, and how it lies. */
export interface Layer {
  row: number;
  column: number;
  isFrontUp: boolean;
  isHeadDown: boolean;
}

/** Folds the half on a side behind the other. */
const half = (side: Fold, panels: number): FoldStep => ({ side, panels, isOver: false });

/** The ways to fold a section; each is known for some numbers of pages. */
export const foldings = ['Standard', 'Parallel', 'Zigzag'] as const;
export type Folding = (typeof foldings)[number];

interface KnownScheme {
  rows: number;
  columns: number;
  /** The last one is the spine. */
  folds: FoldStep[];
  foldCatalog?: string;
}

/** Both outer thirds one after the other behind the middle, as a letter is folded. */
const thirds: FoldStep[] = [half('T', 1), half('B', 1)];
/** The upper third behind the middle, the lower one over it. */
const zigzag: FoldStep[] = [half('T', 1), { side: 'B', panels: 1, isOver: true }];

/** By pages per section and way of folding; names are those of the fold catalogue of JDF 1.7. */
export const foldCatalogue: Readonly<Record<number, Partial<Record<Folding, KnownScheme>>>> = {
  4: { Standard: { rows: 1, columns: 2, folds: [half('L', 1)], foldCatalog: 'F4-1' } },
  8: {
    Standard: { rows: 2, columns: 2, folds: [half('T', 1), half('L', 1)], foldCatalog: 'F8-7' },
    Parallel: { rows: 1, columns: 4, folds: [half('L', 2), half('L', 1)] },
  },
  12: {
    Standard: { rows: 3, columns: 2, folds: [...thirds, half('L', 1)] },
    Zigzag: { rows: 3, columns: 2, folds: [...zigzag, half('L', 1)] },
  },
  16: {
    Standard: { rows: 2, columns: 4, folds: [half('L', 2), half('T', 1), half('L', 1)], foldCatalog: 'F16-6' },
    Parallel: { rows: 4, columns: 2, folds: [half('T', 2), half('T', 1), half('L', 1)] },
  },
  24: {
    Standard: { rows: 3, columns: 4, folds: [half('L', 2), ...thirds, half('L', 1)] },
    Zigzag: { rows: 3, columns: 4, folds: [half('L', 2), ...zigzag, half('L', 1)] },
  },
  32: {
    Standard: {
      rows: 4,
      columns: 4,
      folds: [half('T', 2), half('L', 2), half('T', 1), half('L', 1)],
      foldCatalog: 'F32-9',
    },
    Parallel: { rows: 4, columns: 4, folds: [half('T', 2), half('T', 1), half('L', 2), half('L', 1)] },
  },
};

const isAcross = (side: Fold): boolean => side === 'L' || side === 'R';

/** Turns a grid of piles so that a fold takes its columns from the left; turns back what it gave. */
const seenFrom = <T>(grid: T[][], side: Fold): T[][] => {
  const columns = grid[0]?.length ?? 0;
  const lines = isAcross(side)
    ? grid
    : Array.from({ length: columns }, (_, column) => grid.map((row) => row[column] as T));
  return side === 'R' || side === 'B' ? lines.map((line) => [...line].reverse()) : lines;
};
const seenBack = <T>(lines: T[][], side: Fold): T[][] => {
  const forth = side === 'R' || side === 'B' ? lines.map((line) => [...line].reverse()) : lines;
  if (isAcross(side)) return forth;
  return Array.from({ length: forth[0]?.length ?? 0 }, (_, row) => forth.map((line) => line[row] as T));
};

/** Folds a part of a grid of piles onto the rest, which must be as large at least. A pile lists its layers from the top. */
function foldOnce(piles: Layer[][][], { side, panels, isOver }: FoldStep): Layer[][][] {
  const turned = (pile: Layer[]): Layer[] =>
    pile
      .map((layer) => ({
        ...layer,
        isFrontUp: !layer.isFrontUp,
        isHeadDown: isAcross(side) ? layer.isHeadDown : !layer.isHeadDown,
      }))
      .reverse();
  const lines = seenFrom(piles, side).map((line) =>
    line.slice(panels).map((pile, index) => {
      const folded = index < panels ? turned(line[panels - 1 - index] ?? []) : [];
      return isOver ? [...folded, ...pile] : [...pile, ...folded];
    }),
  );
  return seenBack(lines, side);
}

/**
 * The gaps of the flat sheet that a fold runs through: between layers of the two piles beside it that are neighbours on
 * the sheet.
 */
function creasesOf(piles: Layer[][][], { side, panels }: FoldStep): FoldScheme['creases'] {
  const axis = isAcross(side) ? 'x' : 'y';
  const [line = []] = seenFrom(piles, side);
  const places = (pile: Layer[] = []) => pile.map((layer) => (axis === 'x' ? layer.column : layer.row));
  const there = new Set(places(line[panels]));
  return [
    ...new Set(
      places(line[panels - 1]).flatMap((place) => {
        if (there.has(place + 1)) return [place];
        return there.has(place - 1) ? [place - 1] : [];
      }),
    ),
  ].map((index) => ({ axis, index }));
}

const turnedClockwise: Record<Fold, Fold> = { L: 'T', T: 'R', R: 'B', B: 'L' };
const mirrored: Record<Fold, Fold> = { L: 'R', R: 'L', T: 'T', B: 'B' };
const mirroredEdge: Record<Edge, Edge> = { left: 'right', right: 'left', top: 'top', bottom: 'bottom' };
const clockwiseEdge: Record<Edge, Edge> = { left: 'top', top: 'right', right: 'bottom', bottom: 'left' };

/** Folds a sheet to one pile: its layers from the top, and the fold lines on the flat sheet. */
export function foldedPile({ rows, columns, folds }: Pick<KnownScheme, 'rows' | 'columns' | 'folds'>): {
  pile: Layer[];
  creases: FoldScheme['creases'];
} {
  let piles: Layer[][][] = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => [{ row, column, isFrontUp: true, isHeadDown: false }]),
  );
  const creases: FoldScheme['creases'] = [];
  for (const fold of folds) {
    creases.push(...creasesOf(piles, fold));
    piles = foldOnce(piles, fold);
  }
  return { pile: piles[0]?.[0] ?? [], creases };
}

/**
 * The page positions of a folded sheet; null for a page count without a scheme. Pages are numbered in reading order of
 * the folded section: the top leaf has pages 1 and 2.
 */
export function foldScheme(pagesPerSection: number, bindingEdge: BindingEdge, folding: Folding): FoldScheme | null {
  const known = foldCatalogue[pagesPerSection]?.[folding];
  if (!known) return null;
  const { pile, creases } = foldedPile(known);
  const cells = pile.map((layer, leaf): FoldCell => {
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
      head: layer.isHeadDown ? 'bottom' : 'top',
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
      folds: scheme.folds.map((fold) => ({ ...fold, side: mirrored[fold.side] })),
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
    folds: scheme.folds.map((fold) => ({ ...fold, side: turnedClockwise[fold.side] })),
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
          head: clockwiseEdge[cell.head],
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
