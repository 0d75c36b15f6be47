import type { MessageFiles } from '@pdf2press/contract';
import type { z } from 'zod';
import type { Respelling } from '../fix/respell.ts';

/** Where an action stands in the editor. */
export const fixGroups = ['document', 'pages', 'colour', 'objects', 'images', 'text', 'standards'] as const;
export type FixGroup = (typeof fixGroups)[number];

/** Facts of a document that only actions which say so may change (invariants I1–I8 of the fix specification). */
export const guardedFacts = [
  'pageCount',
  'boxes',
  'inks',
  /** How many objects overprint; drawn another way, one may be many. */
  'overprint',
  /** The colours that overprint, and in which mode. */
  'overprintColours',
  'images',
  'fonts',
  'text',
  'layers',
  'outputIntents',
  'metadata',
] as const;
export type GuardedFact = (typeof guardedFacts)[number];

/** What is known of an action without running it: shared by profile editor, API and runner. */
export interface FixContract<K extends string = string, S extends z.ZodType = z.ZodType> {
  readonly key: K;
  /** Version of the settings' shape. */
  readonly version: number;
  readonly group: FixGroup;
  /** Its name, its settings, what it did and why not, in every language. */
  readonly messages: MessageFiles;
  /** Place in the engine's order (fix specification §1.3); equal places may stand either way. */
  readonly order: number;
  readonly settings: S;
  /** Checks whose finding calls for it: `when` follows them unless the profile says otherwise. */
  readonly checks: readonly string[];
  /** Facts it may change; the gate lets no other change pass. */
  readonly mayChange: readonly GuardedFact[];
  /**
   * What of the picture inside the trim may differ: nothing, the boxes of the changes it logs, or anything
   * (pages themselves change).
   */
  readonly mayLookDifferent: 'nowhere' | 'whereLogged' | 'everywhere';
  /** Its pictures are compared as the press prints them, on a sample of pages where there are many. */
  readonly isJudgedByPlates: boolean;
  /** Shapes are drawn another way, so that their edges may differ by less than a pixel. */
  readonly redrawsEdges: boolean;
  /** So set, it starts from what is there and would act again on its own result. */
  readonly isRelative: (settings: z.output<S>) => boolean;
  /** From version n to n + 1, by n. */
  readonly upgrades: Readonly<Record<number, (settings: Record<string, unknown>) => Record<string, unknown>>>;
  /** Other names and words for its settings. */
  readonly respelling: Respelling;
}

export const defineFix = <const K extends string, S extends z.ZodType>(
  contract: Omit<
    FixContract<K, S>,
    'upgrades' | 'respelling' | 'checks' | 'redrawsEdges' | 'isJudgedByPlates' | 'isRelative'
  > &
    Partial<FixContract<K, S>>,
): FixContract<K, S> => ({
  upgrades: {},
  respelling: {},
  checks: [],
  redrawsEdges: false,
  isJudgedByPlates: false,
  isRelative: () => false,
  ...contract,
});
