import { type ColorSpace, definedSpots, evaluateTint, type PdfValue, pdfDict, pdfName, pdfRef } from '@pdf2press/pdf';
import { nameMatcher } from '../../editing/blacks.ts';
import { recolour } from '../../editing/recolour/recolour.ts';
import { clamp, type MapSpace, type SpaceMap } from '../../editing/recolour/space-map.ts';
import { alternateValue, inkNameBytes } from '../../editing/space-value.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { mapSpots } from './contract.ts';

type Context = FixContext<typeof mapSpots>;
type Rule = Context['settings']['rules'][number];

const reserved = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None']);
/** Suffixes of colour catalogues for the paper of the sample (GWG 2022, R0021). */
const suffix = /\s+(?:C|CP|CV|CVC|CVU|E|EC|HC|K|M|N|PC|TC|TCX|TPX|U|UP|Z)$/i;

export const run: FixRunner<typeof mapSpots> = async (context) => {
  const wishes = wishesOf(context);
  // Without rules, different definitions of one ink are still unified.
  if (wishes.size === 0 && !context.settings.mergeSpellings) return;
  await recolour(context, {
    mapSpace: createMapper(context, wishes),
    blendSpace: null,
    target: null,
    jpegQuality: 95,
    includesMasks: true,
    converts: { operators: true, images: true, shadings: true },
    parameter: 'rules',
  });
};

type Wish = { to: string } | { cmyk: Rule['cmyk'] };

/** What to do with each ink of the file. Rules apply to the original names, not to results of other rules. */
function wishesOf({ settings, file }: Context): Map<string, Wish> {
  const names = [...definedSpots(file).keys()].filter((name) => !reserved.has(name));
  const wishes = new Map<string, Wish>();
  const rules = settings.rules.map((rule) => ({ rule, matches: nameMatcher([rule.from]) }));
  for (const name of names) {
    const rule = rules.find(({ matches }) => matches(name))?.rule;
    if (rule) {
      if (rule.action === 'ToProcess' || rule.action === 'ToAlternate')
        wishes.set(name, { cmyk: rule.action === 'ToProcess' ? rule.cmyk : null });
      else if (rule.to !== '' && rule.to !== name) wishes.set(name, { to: rule.to });
    }
  }
  if (settings.mergeSpellings) {
    const first = new Map<string, string>();
    const key = (name: string): string =>
      (settings.mergeSuffixes ? name.replace(suffix, '') : name)
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\s_-]+/g, ' ')
        .trim();
    for (const name of names) {
      if (wishes.has(name)) continue;
      const known = first.get(key(name));
      if (known === undefined) first.set(key(name), name);
      else wishes.set(name, { to: known });
    }
  }
  return wishes;
}

type InkSpace = Extract<ColorSpace, { family: 'Separation' | 'DeviceN' }>;

function isAlike({ file, settings }: Context, one: InkSpace, other: InkSpace): boolean {
  if (one.alternate.family !== other.alternate.family) return false;
  const [a, b] = [evaluateTint(file, one, [1]) ?? [], evaluateTint(file, other, [1]) ?? []];
  const most = (one.alternate.family === 'Lab' ? 1 : 0.01) * settings.tolerance;
  return a.every((value, index) => Math.abs(value - (b[index] ?? 0)) <= most + 1e-6);
}

function createMapper(context: Context, wishes: ReadonlyMap<string, Wish>): MapSpace {
  const { edit, file } = context;
  const known = new Map<ColorSpace, SpaceMap | null>();

  const toProcess = (space: Extract<ColorSpace, { family: 'Separation' }>, cmyk: Rule['cmyk']): SpaceMap | null => {
    if (cmyk) return process((values) => cmyk.map((ink) => clamp((ink / 100) * (values[0] ?? 0))));
    if (space.alternate.family === 'DeviceCMYK')
      return process((values) => (evaluateTint(file, space, values) ?? [0, 0, 0, values[0] ?? 0]).map(clamp));
    const operators = { DeviceGray: { fill: 'g', stroke: 'G' }, DeviceRGB: { fill: 'rg', stroke: 'RG' } } as const;
    const device = operators[space.alternate.family as keyof typeof operators];
    if (!device) return null;
    return {
      value: pdfName(space.alternate.family),
      device,
      components: space.alternate.components,
      isSameValues: false,
      convert: (values) => (evaluateTint(file, space, values) ?? []).map(clamp),
    };
  };

  /** The definition of an ink (alternate colour and tint transform) at its first use. */
  const recipes = new Map<string, InkSpace>();
  const recipeOf = (space: InkSpace, name: string): InkSpace => {
    if (space.family !== 'Separation' || !context.settings.mergeSpellings || reserved.has(name)) return space;
    const first = recipes.get(name) ?? space;
    recipes.set(name, first);
    return first === space || isAlike(context, first, space) ? space : first;
  };

  const renamed = (space: InkSpace): SpaceMap | null => {
    const names = space.names.map((name, index) => {
      const wish = wishes.get(name);
      return wish && 'to' in wish ? inkNameBytes(wish.to) : (space.written[index] ?? name);
    });
    const recipe = recipeOf(space, names[0] ?? '');
    if (recipe === space && names.every((name, index) => name === space.written[index])) return null;
    const alternate = alternateValue(recipe.alternate);
    // A space cannot have two inks of one name, and some alternate spaces cannot be written.
    if (
      new Set(names.filter((name) => name !== 'None')).size < names.filter((name) => name !== 'None').length ||
      alternate === null
    ) {
      context.warn('notMerged', { names: [...space.names] });
      return null;
    }
    const list = names.map((name) => pdfName(name));
    const attributes =
      space.family === 'DeviceN' && space.attributes ? [pdfDict({ Colorants: undefined }, space.attributes)] : [];
    const value: PdfValue =
      space.family === 'Separation'
        ? [pdfName('Separation'), list[0] ?? pdfName('None'), alternate, recipe.tint]
        : [pdfName('DeviceN'), list, alternate, space.tint, ...attributes];
    return {
      value: pdfRef(edit.add(value)),
      device: null,
      components: space.components,
      isSameValues: true,
      convert: (values) => [...values],
    };
  };

  return (space) => {
    const found = known.get(space);
    if (found !== undefined) return found;
    let made: SpaceMap | null = null;
    if (space.family === 'Separation') {
      const wish = wishes.get(space.names[0]);
      made = wish && 'cmyk' in wish ? toProcess(space, wish.cmyk) : renamed(space);
    } else if (space.family === 'DeviceN') made = renamed(space);
    known.set(space, made);
    return made;
  };
}

const process = (convert: SpaceMap['convert']): SpaceMap => ({
  value: pdfName('DeviceCMYK'),
  device: { fill: 'k', stroke: 'K' },
  components: 4,
  isSameValues: false,
  convert,
});
