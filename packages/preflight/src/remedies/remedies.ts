import type { Locale } from '@pdf2press/contract';

/** Programs in which customers make their files. */
export const programs = ['InDesign', 'Illustrator', 'Affinity', 'Canva', 'Word'] as const;
export type Program = (typeof programs)[number];

/**
 * What to do in a program: short steps in their order, or one sentence that says that the program cannot do it and what to
 * do instead. Names of menus stand between asterisks.
 */
export type Mending = readonly string[] | string;
type Words<T> = Readonly<Record<Locale, Readonly<Record<Program, T>>>>;

/** Ways in which a customer mends a file; the contracts of checks name them. Each is loaded when first asked for. */
export const remedies = {
  bleed: () => import('./bleed/mending.json', { with: { type: 'json' } }),
  fonts: () => import('./fonts/mending.json', { with: { type: 'json' } }),
  smallText: () => import('./small-text/mending.json', { with: { type: 'json' } }),
  pictureResolution: () => import('./picture-resolution/mending.json', { with: { type: 'json' } }),
  compression: () => import('./compression/mending.json', { with: { type: 'json' } }),
  drawings: () => import('./drawings/mending.json', { with: { type: 'json' } }),
  gradients: () => import('./gradients/mending.json', { with: { type: 'json' } }),
  barcodes: () => import('./barcodes/mending.json', { with: { type: 'json' } }),
  fileSize: () => import('./file-size/mending.json', { with: { type: 'json' } }),
  cmyk: () => import('./cmyk/mending.json', { with: { type: 'json' } }),
  black: () => import('./black/mending.json', { with: { type: 'json' } }),
  deepBlack: () => import('./deep-black/mending.json', { with: { type: 'json' } }),
  overprint: () => import('./overprint/mending.json', { with: { type: 'json' } }),
  registration: () => import('./registration/mending.json', { with: { type: 'json' } }),
  totalInk: () => import('./total-ink/mending.json', { with: { type: 'json' } }),
  spotColours: () => import('./spot-colours/mending.json', { with: { type: 'json' } }),
  transparency: () => import('./transparency/mending.json', { with: { type: 'json' } }),
  thinLines: () => import('./thin-lines/mending.json', { with: { type: 'json' } }),
  pageSize: () => import('./page-size/mending.json', { with: { type: 'json' } }),
  orientation: () => import('./orientation/mending.json', { with: { type: 'json' } }),
  pages: () => import('./pages/mending.json', { with: { type: 'json' } }),
  safety: () => import('./safety/mending.json', { with: { type: 'json' } }),
  folds: () => import('./folds/mending.json', { with: { type: 'json' } }),
  liveText: () => import('./live-text/mending.json', { with: { type: 'json' } }),
  password: () => import('./password/mending.json', { with: { type: 'json' } }),
  layers: () => import('./layers/mending.json', { with: { type: 'json' } }),
  interactive: () => import('./interactive/mending.json', { with: { type: 'json' } }),
  export: () => import('./export/mending.json', { with: { type: 'json' } }),
  cutLine: () => import('./cut-line/mending.json', { with: { type: 'json' } }),
} as const satisfies Readonly<Record<string, () => Promise<{ default: Words<Mending> }>>>;
export type RemedyKey = keyof typeof remedies;

export const isRemedy = (key: string | null): key is RemedyKey => key !== null && Object.hasOwn(remedies, key);

/** What to do in each program, in a language. The steps end with how the program writes the PDF anew. */
export async function mendingOf(remedy: RemedyKey, locale: Locale): Promise<Readonly<Record<Program, Mending>>> {
  const [{ default: words }, { default: again }] = await Promise.all([
    remedies[remedy]() as Promise<{ default: Words<Mending> }>,
    import('./again.json', { with: { type: 'json' } }),
  ]);
  const whole = (program: Program): Mending => {
    const told = words[locale][program];
    return typeof told === 'string' ? told : [...told, again[locale][program]];
  };
  return Object.fromEntries(programs.map((program) => [program, whole(program)])) as Record<Program, Mending>;
}
