import type { MessageFiles } from '@pdf2press/contract';
import type { KindHelp, Respelling } from '@pdf2press/settings';
import type { z } from 'zod';

/** Group of an action in the editor. */
export const fixGroups = ['document', 'pages', 'colour', 'objects', 'images', 'text', 'standards'] as const;
export type FixGroup = (typeof fixGroups)[number];

/** Kinds of objects to which a profile may limit an action. */
export const fixObjectFilters = ['text', 'vector', 'image', 'shading', 'annotation'] as const;
export type FixObjectFilter = (typeof fixObjectFilters)[number];

/** Facts of a document that an action may change only if its contract lists them. */
export const guardedFacts = [
  'pageCount',
  'boxes',
  'inks',
  /** Number of overprinting objects; redrawing may turn one object into several. */
  'overprint',
  /** Overprinting colours and their overprint mode. */
  'overprintColours',
  'images',
  'fonts',
  'text',
  'layers',
  'outputIntents',
  'metadata',
] as const;
export type GuardedFact = (typeof guardedFacts)[number];

/** Describes an action without running it: used by profile editor, API and runner. */
export interface FixContract<K extends string = string, S extends z.ZodType = z.ZodType> {
  readonly key: K;
  /** Version of the settings schema. */
  readonly version: number;
  readonly group: FixGroup;
  /** Names, settings, changes and reasons in every language. */
  readonly messages: MessageFiles;
  /** Help for operators: what the action does and what to consider. */
  readonly help: () => Promise<{ default: KindHelp }>;
  /** Position in the engine order; actions with equal positions may run in either order. */
  readonly order: number;
  readonly settings: S;
  /**
   * An action that reads pictures runs before the file is opened as a PDF and converts it (`toPdf` in its `run.ts`).
   */
  readonly reads: 'pdf' | 'picture';
  /** The action may embed fonts of the house, which whoever runs it hands over (`fonts` of `fixPdf`). */
  readonly embedsFonts: boolean;
  /** The whole file is written anew; other actions write only their changes into a copy where possible. */
  readonly writesAnew: boolean;
  /** Keys of the checks whose findings the action fixes; by default it runs only when one of them has a finding. */
  readonly checks: readonly string[];
  /** Facts that the action may change; the gate accepts no other change. */
  readonly mayChange: readonly GuardedFact[];
  /** Facts to which the action may add; what was there before must still be there. */
  readonly mayAdd: readonly GuardedFact[];
  /**
   * Where the picture inside the trim may differ: nowhere, in the boxes of logged changes, or everywhere (whole pages
   * change).
   */
  readonly mayLookDifferent: 'nowhere' | 'whereLogged' | 'everywhere';
  /**
   * The action places pictures of pages that a renderer made. The gate then always compares plates instead of RGB
   * pictures, on a sample of pages, and asks a second renderer to confirm what they show.
   */
  readonly isJudgedByPlates: boolean;
  /**
   * The action changes entries of the document or its pages and never what they show, so that it needs no renderer, whose
   * loading takes as long as the action on a hundred megabytes. A file that demands one gets it all the same.
   */
  readonly isStructural: boolean;
  /** Shapes are redrawn, so that edges may differ by less than a pixel. */
  readonly redrawsEdges: boolean;
  /** With these settings the action is relative to the present state and would act again on its own result. */
  readonly isRelative: (settings: z.output<S>) => boolean;
  /** Upgrades settings from version n to n + 1; keyed by n. */
  readonly upgrades: Readonly<Record<number, (settings: Record<string, unknown>) => Record<string, unknown>>>;
  /** Accepted alternative names and values of settings. */
  readonly respelling: Respelling;
}

/** Declares an action; rarely used fields have defaults. */
export const defineFix = <const K extends string, S extends z.ZodType>(
  contract: Omit<
    FixContract<K, S>,
    | 'upgrades'
    | 'respelling'
    | 'checks'
    | 'mayAdd'
    | 'reads'
    | 'embedsFonts'
    | 'writesAnew'
    | 'redrawsEdges'
    | 'isStructural'
    | 'isJudgedByPlates'
    | 'isRelative'
  > &
    Partial<FixContract<K, S>>,
): FixContract<K, S> => ({
  upgrades: {},
  respelling: {},
  checks: [],
  mayAdd: [],
  reads: 'pdf',
  embedsFonts: false,
  writesAnew: false,
  redrawsEdges: false,
  isStructural: false,
  isJudgedByPlates: false,
  isRelative: () => false,
  ...contract,
});
