/** Where the folds of a page lie. */

/** Ways to fold, named as in the impositions of leaflets; `Positions`: at given distances. */
export const foldTemplates = ['HalfFold', 'RollFold', 'ZigzagFold', 'GateFold', 'ClosedGateFold', 'Positions'] as const;
export type FoldTemplate = (typeof foldTemplates)[number];

export interface FoldSettings {
  readonly fold: FoldTemplate;
  readonly panels: number;
  readonly shorter: number;
  readonly positions: Readonly<Record<'first' | 'second' | 'third' | 'fourth', number | null>>;
}

const many = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));

/**
 * By how much each panel is shorter than the widest one, from the left on the front. In a roll fold the left panel is rolled
 * in first; of a gate fold the outer panels are half as wide and meet over the middle.
 */
const panelsOf: Readonly<
  Record<Exclude<FoldTemplate, 'Positions'>, (panels: number, shorter: number) => { share: number; less: number }[]>
> = {
  HalfFold: () => many(2, () => ({ share: 1, less: 0 })),
  RollFold: (panels, shorter) => many(panels, (at) => ({ share: 1, less: Math.max(0, panels - 2 - at) * shorter })),
  ZigzagFold: (panels) => many(panels, () => ({ share: 1, less: 0 })),
  GateFold: (_, shorter) => [0.5, 1, 0.5].map((share) => ({ share, less: share < 1 ? shorter : 0 })),
  ClosedGateFold: (_, shorter) => [shorter, 0, 0, shorter].map((less) => ({ share: 1, less })),
};

/** Distances of the folds from the left edge of the front of the paper, in the unit of `width`. */
export function foldsOf({ fold, panels, shorter, positions }: FoldSettings, width: number): number[] {
  if (fold === 'Positions')
    return Object.values(positions).filter((at): at is number => at !== null && at > 0 && at < width);
  const parts = panelsOf[fold](panels, shorter);
  const shares = parts.reduce((sum, { share }) => sum + share, 0);
  const full = (width + parts.reduce((sum, { less }) => sum + less, 0)) / shares;
  let at = 0;
  const ends = parts.map(({ share, less }) => {
    at += full * share - less;
    return at;
  });
  return ends.slice(0, -1);
}
