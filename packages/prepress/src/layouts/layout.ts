import type { ImposeLayout, LayoutPage, Plan, Rect } from '@pdf2press/contract';
import type { z } from 'zod';
import type { Outline } from '../marks/mark.ts';

/** The outline that a die cuts, and the box around it, points. */
export interface DieShape {
  outline: Outline;
  box: Rect;
}

/** A die that cuts a whole sheet, points. */
export interface DieSheet {
  width: number;
  height: number;
  dies: readonly DieShape[];
}

/** What a layout is given: page boxes (1-based by position) and what the slug may say. */
export interface LayoutInput {
  pages: readonly LayoutPage[];
  /** Dies found in the artwork, by page, or the one of a die file for all; page coordinates as in `pages`. */
  dies?: readonly (DieShape | null)[];
  /** Dies that the artwork itself draws, where `dies` come from elsewhere: they must be the same. */
  artworkDies?: readonly (DieShape | null)[];
  /** All outlines of a die sheet, from its lower left corner. */
  dieSheet?: DieSheet;
  /** The size of the colour bar that the profile brings along, points. */
  strip?: { width: number; height: number };
  variables?: Readonly<Record<string, string>>;
}

/** A kind of layout: its settings and the pure function from pages and settings to a plan. Throws LayoutFault. */
export interface LayoutDefinition<S extends z.ZodType> {
  type: ImposeLayout;
  /** Version of the settings; `upgrade` brings older ones up. */
  version: number;
  settings: S;
  plan: (input: LayoutInput, settings: z.output<S>) => Plan;
}

export const defineLayout = <S extends z.ZodType>(definition: LayoutDefinition<S>): LayoutDefinition<S> => definition;
