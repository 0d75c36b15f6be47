/** Finds the transparent regions of pages and the operators that paint in them. */
import {
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
  hasImages: boolean;
  hasGradients: boolean;
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
    hasImages: false,
    hasGradients: false,
    hasGroups: false,
    isLight: false,
  };
  const colours = createColourKinds();
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
        image(event) {
          see(event, 'drop');
          plan.hasImages ||= paintsTransparent(event);
        },
        shading(event) {
          see(event, 'drop');
          plan.hasGradients = true;
        },
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
          plan.hasImages = true;
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
  return plan;
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
