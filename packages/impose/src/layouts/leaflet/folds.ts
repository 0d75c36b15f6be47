import { type FoldStep, foldedPile } from '../folding.ts';
import type { LeafletFold, LeafletSettings } from './contract.ts';

interface LeafletScheme {
  /** The number of panels; missing where the setting counts. */
  panels?: number;
  /** Widths of the panels from the left, seen from the front of the sheet; points. */
  widths: (panels: number, full: number, shorter: number) => number[];
  folds: (panels: number) => FoldStep[];
}

const fold = (side: 'L' | 'R', isOver = false): FoldStep => ({ side, panels: 1, isOver });
const many = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

/** Every way to fold a leaflet. After the last fold the cover lies on top. */
const schemes: Readonly<Record<LeafletFold, LeafletScheme>> = {
  HalfFold: { panels: 2, widths: (_, full) => [full, full], folds: () => [fold('L')] },
  // Rolled up from the left: the further inside a panel lies, the shorter it is.
  RollFold: {
    widths: (panels, full, shorter) => many(panels, (i) => full - Math.max(0, panels - 2 - i) * shorter),
    folds: (panels) => many(panels - 1, () => fold('L')),
  },
  // Every second fold goes the other way, the last one behind the cover.
  ZigzagFold: {
    widths: (panels, full) => many(panels, () => full),
    folds: (panels) => many(panels - 1, (i) => fold('L', (panels - 2 - i) % 2 === 1)),
  },
  // The front of the sheet is the inside; two half panels close over the middle.
  GateFold: {
    panels: 3,
    widths: (_, full, shorter) => [full / 2 - shorter, full, full / 2 - shorter],
    folds: () => [fold('R', true), fold('L', true)],
  },
  ClosedGateFold: {
    panels: 4,
    widths: (_, full, shorter) => [full - shorter, full, full, full - shorter],
    folds: () => [fold('L'), fold('R'), fold('L')],
  },
};

/** One panel, from the left on the front of the sheet: its width and its pages, counted from 1 in one leaflet. */
export interface Panel {
  width: number;
  front: number;
  back: number;
}

export interface FoldedLeaflet {
  panels: Panel[];
  folds: FoldStep[];
  /** After which panels the paper is folded, from 0. */
  creases: number[];
}

/** The panels of one leaflet whose widest panel is `full` points wide. */
export function leafletOf(settings: LeafletSettings, full: number): FoldedLeaflet {
  const scheme = schemes[settings.fold];
  const count = scheme.panels ?? settings.panels;
  const folds = scheme.folds(count);
  const { pile, creases } = foldedPile({ rows: 1, columns: count, folds });
  const faces = settings.pageOrder === 'AsRead' ? leafedThrough(pile) : spread(pile);
  const numberOf = (face: string) => faces.indexOf(face) + 1;
  return {
    panels: scheme.widths(count, full, settings.shorter).map((width, column) => ({
      width,
      front: numberOf(faceName(column, true)),
      back: numberOf(faceName(column, false)),
    })),
    folds,
    creases: creases.map(({ index }) => index),
  };
}

type Pile = ReturnType<typeof foldedPile>['pile'];

const faceName = (column: number, isFront: boolean): string => `${column} ${isFront}`;

/** The faces of a pile from the top: of each layer the one that looks up and the one that looks down. */
const leafedThrough = (pile: Pile): string[] =>
  pile.flatMap(({ column, isFrontUp }) => [faceName(column, isFrontUp), faceName(column, !isFrontUp)]);

/** The cover, then the side of the sheet behind it from left to right, then what is left of the cover's side. */
function spread(pile: Pile): string[] {
  const [cover] = pile;
  if (!cover) return [];
  const isOutsideFront = cover.isFrontUp;
  const columns = pile.map(({ column }) => column).sort((a, b) => a - b);
  const sideOf = (isFront: boolean) =>
    (isFront ? columns : [...columns].reverse()).map((column) => faceName(column, isFront));
  const first = faceName(cover.column, isOutsideFront);
  return [first, ...sideOf(!isOutsideFront), ...sideOf(isOutsideFront).filter((face) => face !== first)];
}
