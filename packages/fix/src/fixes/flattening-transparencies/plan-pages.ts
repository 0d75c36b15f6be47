/** Finds the transparent regions of pages and the operators that paint in them. */
import {
  covers,
  interpretPage,
  intersect,
  isDict,
  isEmptyRect,
  isName,
  type Matrix,
  multiply,
  type OperatorEvent,
  type PageFacts,
  type PdfDict,
  type Rect,
  type Run,
  transformRect,
  union,
} from '@pdf2press/pdf';
import { changeable } from '../../editing/boxes.ts';
import { blendsInInk, createColourKinds } from '../../editing/colour-kinds.ts';
import { isTransparent, type Painted, paintsOf } from '../../editing/painted.ts';
import { placeKey } from '../../editing/place-key.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { flatteningTransparencies } from './contract.ts';
import { grown, overprints, paintsTransparent, seenBox } from './transparent.ts';

type Context = FixContext<typeof flatteningTransparencies>;

/** What an area shows: edges of text, shapes and one-bit images; gradients; images of several tones. */
export type Detail = 'lineArt' | 'gradient' | 'image';

export interface PagePlan {
  page: PageFacts;
  /** Areas where transparency shows; they are replaced by images. */
  regions: Rect[];
  /** Transparent operators in regions, by place key. Text stays in the file as invisible text. */
  drops: Map<string, 'text' | 'path' | 'drop'>;
  /** Opaque overprinting objects. */
  overprints: { box: Rect; key: string; kind: 'text' | 'path' | 'drop' }[];
  /** Object numbers of tiling patterns with transparent content. */
  tiles: Set<number>;
  /** What each region shows that needs a resolution of its own, in the order of `regions`. */
  kinds: ReadonlySet<Detail>[];
  hasGroups: boolean;
  /** The page uses RGB and no inks, so its images are RGB. */
  isLight: boolean;
}

export const planPages = (context: Context): PagePlan[] =>
  changeable(context.pages.map((number) => context.file.pageNow(number)))
    .map((page) => planPage(context, page))
    .filter((plan) => (plan.hasGroups && context.settings.removeUnneededGroups) || plan.regions.length > 0);

/** One function, because all readers of the page collect into one plan. */
function planPage(context: Context, page: PageFacts): PagePlan {
  const { file } = context;
  const plan: PagePlan = {
    page,
    regions: [],
    drops: new Map(),
    overprints: [],
    tiles: new Set(),
    kinds: [],
    hasGroups: false,
    isLight: false,
  };
  const colours = createColourKinds();
  const details: Shown[] = [];
  const group = file.entry(page.dict, 'Group');
  plan.hasGroups = isDict(group) && isName(group.map.get('S'), 'Transparency');
  const tiled: (PagePlan['overprints'][number] & { tile: number })[] = [];
  const { media } = page.effective;
  const add = (box: Rect): void => {
    const seen = intersect(grown(box, 1), media);
    if (!isEmptyRect(seen)) plan.regions.push(seen);
  };
  const see = (event: Painted, kind: 'text' | 'path' | 'drop'): void => {
    if (!event.layers.isPrinted && !event.layers.isVisible) return;
    if (event.place.run.isInSoftMask) return;
    colours.see(event);
    const shown = seenBox(event);
    if (!isEmptyRect(shown)) details.push({ box: shown, ...detailOf(event) });
    const tile = patternAround(event.place.run);
    if (tile !== 0) {
      // A pattern cell is reported once; the object it fills becomes the image.
      if (paintsTransparent(event)) plan.tiles.add(tile);
      return;
    }
    if (!paintsTransparent(event)) {
      for (const { pattern } of paintsOf(event))
        if (pattern?.type === 'tiling')
          tiled.push({ tile: pattern.object, box: seenBox(event), key: placeKey(event.place), kind });
      if (context.settings.preserveOverprint === 'Simulate' && overprints(event))
        plan.overprints.push({ box: seenBox(event), key: placeKey(event.place), kind });
      return;
    }
    if (event.place.run.annotation || inAppearance(event.place.run)) {
      context.warn('annotation', { page: page.number });
      return;
    }
    const box = seenBox(event);
    if (!isEmptyRect(box)) add(box);
    plan.drops.set(placeKey(event.place), kind);
  };
  interpretPage(
    file,
    page.number,
    [
      {
        text: (event) => {
          if (event.paints !== 'none') see(event, 'text');
        },
        path: (event) => see(event, 'path'),
        image: (event) => see(event, 'drop'),
        shading: (event) => see(event, 'drop'),
        runBegin({ run }) {
          if (run.group && run.kind === 'form') plan.hasGroups = true;
        },
        operator(event) {
          if (event.place.op !== 'Do' || event.place.run.isInSoftMask) return;
          const form = formAt(context, event);
          if (!form || !isTransparent(event.state) || !isDict(file.entry(form, 'Group'))) return;
          if (inAppearance(event.place.run)) {
            context.warn('annotation', { page: page.number });
            return;
          }
          const box = intersect(formBox(context, form, event.state.ctm), event.state.clip.bbox);
          if (!isEmptyRect(box)) add(box);
          plan.drops.set(placeKey(event.place), 'drop');
        },
      },
    ],
    { everyUse: true },
  );
  for (const { tile, box, key, kind } of tiled) {
    if (!plan.tiles.has(tile)) continue;
    add(box);
    plan.drops.set(key, kind);
  }
  // Only on pages that are flattened anyway: overprint alone needs no image.
  if (plan.regions.length > 0) {
    for (const { box, key, kind } of plan.overprints) {
      add(box);
      plan.drops.set(key, kind);
    }
  }
  plan.isLight = colours.isLight() && !blendsInInk(file, page);
  plan.regions = context.settings.mode === 'RasterPage' && plan.regions.length > 0 ? [media] : merged(plan.regions);
  plan.kinds = plan.regions.map((region) => new Set(details.filter((detail) => isIn(region, detail)).map(kindOf)));
  return plan;
}

interface Shown {
  box: Rect;
  kind: Detail;
  /** An upright rectangle, which has no edges in an area that it covers. */
  isRect: boolean;
}

const kindOf = ({ kind }: Shown): Detail => kind;

function detailOf(event: Painted): Omit<Shown, 'box'> {
  if (!event.state.clip.isRect) return { kind: 'lineArt', isRect: false };
  if (event.kind === 'shading') return { kind: 'gradient', isRect: false };
  if (event.kind === 'image')
    return { kind: event.image.isStencil || event.image.bitsPerComponent === 1 ? 'lineArt' : 'image', isRect: false };
  const isFilledRect = event.kind === 'path' && event.isRect && event.paints === 'fill';
  const isGradient = paintsOf(event).some(({ pattern }) => pattern?.type === 'shading');
  return { kind: isGradient && isFilledRect ? 'gradient' : 'lineArt', isRect: isFilledRect };
}

/** Whether an area shows an object: for a rectangle of one colour, whether it shows one of its edges. */
function isIn(area: Rect, { box, kind, isRect }: Shown): boolean {
  return !isEmptyRect(intersect(area, box)) && !(isRect && kind === 'lineArt' && covers(box, area));
}

/** Object number of the enclosing tiling pattern; 0 for none. */
function patternAround(run: Run): number {
  for (let at: Run | null = run; at; at = at.parent) if (at.kind === 'pattern') return at.object;
  return 0;
}

function inAppearance(run: Run): boolean {
  for (let at: Run | null = run; at; at = at.parent) if (at.kind === 'appearance') return true;
  return false;
}

function formAt({ file }: Context, { place, operands }: OperatorEvent): PdfDict | null {
  const name = operands.at(-1);
  const list = place.run.resources ? file.entry(place.run.resources, 'XObject') : null;
  const form = isName(name) && isDict(list) ? file.entry(list, name.name) : null;
  return isDict(form) && isName(form.map.get('Subtype'), 'Form') ? form : null;
}

function formBox({ file }: Context, form: PdfDict, ctm: Matrix): Rect {
  const numbers = (key: string): number[] => {
    const value = file.entry(form, key);
    return Array.isArray(value) ? value.map((entry) => Number(file.resolve(entry))) : [];
  };
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers('Matrix');
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbers('BBox');
  return transformRect(multiply([a, b, c, d, e, f], ctm), [
    Math.min(x0, x1),
    Math.min(y0, y1),
    Math.max(x0, x1),
    Math.max(y0, y1),
  ]);
}

/** Merges overlapping regions until none overlap. */
function merged(regions: readonly Rect[]): Rect[] {
  const done: Rect[] = [];
  for (let region of regions) {
    for (let at = 0; at < done.length; ) {
      const other = done[at] as Rect;
      if (isEmptyRect(intersect(other, region))) at += 1;
      else {
        region = union(region, other);
        done.splice(at, 1);
        at = 0;
      }
    }
    done.push(region);
  }
  return done;
}
