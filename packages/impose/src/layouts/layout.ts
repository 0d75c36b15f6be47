import {
  type ImposeLayout,
  type LayoutPage,
  type MessageFiles,
  type Plan,
  type Rect,
  toPoints,
} from '@pdf2press/contract';
import type { KindHelp } from '@pdf2press/settings';
import type { z } from 'zod';
import type { Outline } from '../marks/mark.ts';

/** The outline of a die and its bounding box, points. */
export interface DieShape {
  outline: Outline;
  box: Rect;
}

/** A die for a whole sheet with all its stations, points. */
export interface DieSheet {
  width: number;
  height: number;
  dies: readonly DieShape[];
}

/** What a layout plans for. `pages[0]` is page 1. */
export interface LayoutInput {
  pages: readonly LayoutPage[];
  /** The die of each page, from the artwork or the die file, in the coordinates of `pages`. */
  dies?: readonly (DieShape | null)[];
  /** Dies drawn in the artwork while `dies` come from a file; both must match within the tolerance. */
  artworkDies?: readonly (DieShape | null)[];
  /** The die sheet; origin at its lower left corner. */
  dieSheet?: DieSheet;
  /** Size of the profile's own colour bar, points. */
  strip?: { width: number; height: number };
  /** Values for placeholders in the slug and barcodes. */
  variables?: Readonly<Record<string, string>>;
}

/** Equal pages; points. */
export interface UsualPages {
  count: number;
  width: number;
  height: number;
}

/** Equal pages of a size in millimetres. */
export const pagesOfSize = (count: number, width: number, height: number): UsualPages => ({
  count,
  width: toPoints(width, 'Millimeters'),
  height: toPoints(height, 'Millimeters'),
});

/** A kind of layout: its settings, and a pure function from pages and settings to a plan. */
export interface LayoutDefinition<S extends z.ZodType> {
  type: ImposeLayout;
  /** Version of the settings. */
  version: number;
  /** `label`, `help` and `field.<setting>` of its own settings; shared settings are in `imposeMessages`. */
  messages: MessageFiles;
  /** A longer explanation for operators. */
  help: () => Promise<{ default: KindHelp }>;
  /** BinderySignatureType of its unfolded sheets in JDF and XJDF. */
  binderySignature: 'Grid' | 'Die';
  /** What a new profile is drawn with until other pages are chosen. */
  usualPages: UsualPages;
  settings: S;
  /** @throws LayoutFault */
  plan: (input: LayoutInput, settings: z.output<S>) => Plan;
}

/** Infers the type of the settings of a layout; BinderySignatureType is Grid and the usual pages are A5 by default. */
export const defineLayout = <S extends z.ZodType>(
  definition: Omit<LayoutDefinition<S>, 'binderySignature' | 'usualPages'> & Partial<LayoutDefinition<S>>,
): LayoutDefinition<S> => ({ binderySignature: 'Grid', usualPages: pagesOfSize(8, 148, 210), ...definition });
