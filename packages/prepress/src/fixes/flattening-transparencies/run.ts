import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  addResources,
  fittingDpi,
  interpretPage,
  intersect,
  isDict,
  isEmptyRect,
  isName,
  isRef,
  type Matrix,
  multiply,
  type OperatorEvent,
  openRenderService,
  type PageFacts,
  type PagePlates,
  type PdfDict,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
  type RenderService,
  type Run,
  rewriteDocument,
  rewritePdf,
  transformRect,
  union,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable } from '../frame/boxes.ts';
import { inkImage, placeImage } from '../frame/ink-image.ts';
import { intentProfile } from '../frame/output-intent.ts';
import { placeKey } from '../frame/place-key.ts';
import { pruneResources } from '../frame/prune-resources.ts';
import { type FixContext, type FixRunner, failed } from '../runner.ts';
import { settleAnnotations } from './annotations.ts';
import { type LiftedText, liftText } from './text-on-top.ts';
import { tintOverPaper } from './tint-over-paper.ts';
import { grown, isTransparent, overprints, type Painted, paintsOf, paintsTransparent, seenBox } from './transparent.ts';

type Context = FixContext<'FlatteningTransparencies'>;

interface PagePlan {
  page: PageFacts;
  /** Where transparency shows; nothing of it is left when these are pictures. */
  regions: Rect[];
  /** Operators whose painting is in a region and transparent: text stays in the file, unseen. */
  drops: Map<string, 'text' | 'path' | 'drop'>;
  /** Opaque objects whose overprint shows. */
  overprints: { box: Rect; key: string; kind: 'text' | 'path' | 'drop' }[];
  /** Tiling patterns that are transparent inside, by object. */
  tiles: Set<number>;
  hasImages: boolean;
  hasGradients: boolean;
  hasGroups: boolean;
}

export const run: FixRunner<'FlatteningTransparencies'> = async (context) => {
  const { settings, file } = context;
  settleAnnotations(context);
  if (settings.mode === 'VectorWherePossible') tintOverPaper(context);
  let plans = planPages(context);
  if (plans.length === 0) return;
  const lifted =
    settings.preserveText && settings.mode !== 'RasterPage'
      ? liftText(context, new Map(plans.map(({ page, regions }) => [page.number, regions])))
      : new Map<number, LiftedText>();
  // Content without that text is other content: places in it are found anew.
  if (lifted.size > 0) plans = planPages(context);
  const pictures = plans.filter((plan) => plan.regions.length > 0);
  const images = await renderRegions(context, pictures);
  const drops = new Map(pictures.flatMap((plan) => [...plan.drops]));
  if (drops.size > 0 && settings.mode !== 'RasterPage') {
    rewriteDocument(file, {
      pages: pictures.map((plan) => plan.page.number),
      annotations: false,
      operator: (event) => dropped(event, drops.get(placeKey(event.place))),
    });
  }
  for (const { plan, content } of images) placePictures(context, plan, content, lifted.get(plan.page.number) ?? null);
  context.edit.markChanged();
  removeTransparency(context, plans);
  pruneResources(context.edit);
};

const planPages = (context: Context): PagePlan[] =>
  changeable(context.pages.map((number) => context.file.pageNow(number)))
    .map((page) => planPage(context, page))
    .filter((plan) => (plan.hasGroups && context.settings.removeUnneededGroups) || plan.regions.length > 0);

/** Invisible text keeps its advance; an unpainted path keeps the clip that may hang on it. */
function dropped({ place, state }: OperatorEvent, kind: 'text' | 'path' | 'drop' | undefined) {
  if (kind === undefined) return undefined;
  if (kind === 'text') return { before: '3 Tr\n', after: `\n${state.text.mode} Tr\n` };
  return { replace: kind === 'path' ? 'n' : '', ...(kind === 'drop' && place.op === 'BI' && { replace: '' }) };
}

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
  };
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
    const tile = patternAround(event.place.run);
    if (tile !== 0) {
      // A tile is seen once, wherever it is repeated: what it fills becomes the picture.
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
  // Only pages that are flattened anyway: overprint alone needs no picture.
  if (plan.regions.length > 0) {
    for (const { box, key, kind } of plan.overprints) {
      add(box);
      plan.drops.set(key, kind);
    }
  }
  plan.regions = context.settings.mode === 'RasterPage' && plan.regions.length > 0 ? [media] : merged(plan.regions);
  return plan;
}

/** Object of the tiling pattern a run is part of; 0 for none. */
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

/** Regions that touch become one, until none do. */
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

interface Pictures {
  plan: PagePlan;
  content: { image: number; area: Rect }[];
}

/** Pictures of the regions as the press would print them, before anything is changed. */
async function renderRegions(context: Context, plans: readonly PagePlan[]): Promise<Pictures[]> {
  const made: Pictures[] = [];
  if (plans.length === 0) return made;
  // Written anew first: Ghostscript reads layers and damage of files as they come in ways of its own.
  const probe = path.join(context.workDir, 'flatten-probe.pdf');
  const restore = narrowPages(context, plans);
  rewritePdf(context.file, probe);
  restore();
  const render = openRenderService({ path: probe, workDir: context.workDir, signal: context.signal });
  try {
    for (const entry of plans.entries()) made.push(await renderPage(context, render, entry, plans.length));
    return made;
  } finally {
    render.close();
    rmSync(probe, { force: true });
  }
}

/** Pages as small as what is drawn of them, blending in the space asked for; what is returned undoes it. */
function narrowPages(context: Context, plans: readonly PagePlan[]): () => void {
  const { edit, file } = context;
  const space = isBlendedAnew(context) ? blendSpaceOf(context) : null;
  const kept = plans.map(({ page, regions }) => {
    const now = file.pageNow(page.number);
    const own = new Map(boxEntries.map((key) => [key, now.dict.map.get(key)]));
    const group = file.entry(now.dict, 'Group');
    for (const key of boxEntries) edit.putPage(now, key, key === 'MediaBox' ? [...regions.reduce(union)] : undefined);
    if (space)
      edit.putPage(
        now,
        'Group',
        pdfDict({ S: pdfName('Transparency'), CS: pdfName(space) }, isDict(group) ? group : null),
      );
    return { page, own, group: now.dict.map.get('Group') };
  });
  return () => {
    for (const { page, own, group } of kept) {
      const now = file.pageNow(page.number);
      for (const [key, value] of own) edit.putPage(now, key, value);
      edit.putPage(now, 'Group', group);
    }
  };
}

const boxEntries = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const;

/** The colours of the press the file is made for; null where it does not say. */
function blendSpaceOf({ file }: Context): 'DeviceCMYK' | 'DeviceRGB' | 'DeviceGray' | null {
  const spaces = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const;
  for (const components of [4, 3, 1] as const) if (intentProfile(file, components)) return spaces[components];
  return null;
}

const isBlendedAnew = (context: Context): boolean =>
  context.settings.blendSpace === 'OutputIntent' && blendSpaceOf(context) !== null;

async function renderPage(
  context: Context,
  render: RenderService,
  [index, plan]: [number, PagePlan],
  total: number,
): Promise<Pictures> {
  const { settings, edit } = context;
  context.signal.throwIfAborted();
  // Tones need no more than a screen resolves; edges of line art do.
  const wanted = plan.hasImages ? settings.imageDpi : plan.hasGradients ? settings.gradientDpi : settings.lineArtDpi;
  const dpi = fittingDpi(plan.page, { dpi: wanted, box: plan.regions.reduce(union) });
  const plates = await render.plates(plan.page.number, { dpi, box: 'media', annotations: false });
  if (plates.hasTooManySpots && settings.preserveSpots) throw failed('tooManySpots', { page: plan.page.number });
  if (plates.hasErrors) throw failed('notRendered', { page: plan.page.number });
  if (!settings.preserveSpots) tellLostSpots(context, plan.page, plates);
  const content = plan.regions.flatMap((area) => {
    const snapped = snap(area, dpi, plan);
    const image = inkImage(edit, {
      plates,
      area: snapped,
      scale: (dpi / 72) * plan.page.userUnit,
      isProcessOnly: !settings.preserveSpots,
    });
    context.log({
      what: 'region',
      page: plan.page.number,
      box: area,
      looksSame: !isBlendedAnew(context),
      before: null,
      after: `${Math.round(dpi)} dpi`,
      parameter: 'mode',
    });
    return image === null ? [] : [{ image, area: snapped }];
  });
  context.progress(index + 1, total);
  return { plan, content };
}

/** Whoever gives up spots is told which. */
function tellLostSpots(context: Context, page: PageFacts, plates: PagePlates): void {
  const spots = plates.inks.slice(4).filter(({ id }) => plates.plate(id).some((level) => level > 0));
  if (spots.length > 0) context.warn('spotsLost', { page: page.number, spots: spots.map(({ name }) => name) });
}

/** Edges on the raster of the plates, so that no pixel is split. */
function snap(area: Rect, dpi: number, { page, regions }: PagePlan): Rect {
  const step = 72 / dpi / page.userUnit;
  const [x, y] = regions.reduce(union);
  const down = (value: number, from: number): number => from + Math.floor((value - from) / step + 1e-6) * step;
  const up = (value: number, from: number): number => from + Math.ceil((value - from) / step - 1e-6) * step;
  return [down(area[0], x), down(area[1], y), up(area[2], x), up(area[3], y)];
}

function placePictures(
  { edit, file, settings }: Context,
  { page }: PagePlan,
  content: Pictures['content'],
  lifted: LiftedText | null,
): void {
  const now = file.pageNow(page.number);
  if (settings.mode === 'RasterPage') edit.putPage(now, 'Contents', undefined);
  const names = addResources(
    edit,
    now,
    content.map(({ image }) => ({ kind: 'XObject', value: pdfRef(image), hint: 'Flat' })),
  );
  wrapContent(edit, file.pageNow(page.number), {
    before: 'q\n',
    after: `\nQ\n${content.map(({ area }, index) => `q ${placeImage(area)} /${names[index]} Do Q\n`).join('')}${lifted?.place() ?? ''}`,
  });
}

const stateKeys = ['ca', 'CA', 'BM', 'SMask', 'AIS', 'TK'] as const;
const overprintKeys = ['OP', 'op', 'OPM'] as const;

/** What says transparency and no longer means any: groups, and keys of graphics states. */
function removeTransparency(context: Context, plans: readonly PagePlan[]): void {
  const { edit, file } = context;
  const forms = new Set<number>();
  const states = new Map<PdfDict, Holder>();
  const noteStates = (resources: PdfDict | null, holderOf: (name: string) => Holder | null): void => {
    const list = resources ? file.entry(resources, 'ExtGState') : null;
    if (!isDict(list)) return;
    for (const [name, entry] of list.map) {
      const state = file.resolve(entry);
      if (!isDict(state) || states.has(state)) continue;
      const holder = isRef(entry) ? { num: entry.num, keys: [] } : holderOf(name);
      if (holder) states.set(state, holder);
    }
  };
  for (const { page, regions, tiles } of plans) {
    const now = file.pageNow(page.number);
    if (now.dict.map.has('Group')) {
      edit.putPage(now, 'Group', undefined);
      if (regions.length === 0)
        context.log({
          what: 'group',
          page: page.number,
          before: 'Transparency',
          after: null,
          parameter: 'removeUnneededGroups',
        });
    }
    const note = (run: Run): void => {
      if (run.kind === 'form' && run.dict.map.has('Group')) forms.add(run.object);
      noteStates(run.resources, (name) => holderOf(run, name));
    };
    // Nothing is painted with them any more, but the content may still name them.
    for (const tile of tiles) {
      const dict = file.get(tile);
      const resources = isDict(dict) ? dict.map.get('Resources') : undefined;
      const list = file.resolve(resources);
      if (isDict(list))
        noteStates(list, (name) =>
          isRef(resources)
            ? { num: resources.num, keys: ['ExtGState', name] }
            : { num: tile, keys: ['Resources', 'ExtGState', name] },
        );
    }
    interpretPage(file, page.number, [{ pageBegin: note, runBegin: ({ run }) => note(run) }], {
      annotations: false,
      softMasks: false,
    });
  }
  const gone = context.settings.preserveOverprint === 'Simulate' ? [...stateKeys, ...overprintKeys] : stateKeys;
  for (const num of forms) edit.put(num, 'Group', undefined);
  for (const [state, { num, keys }] of states) {
    for (const key of gone) if (state.map.has(key)) edit.put(num, [...keys, key], undefined);
  }
}

/** Where an entry can be reached for a change: an object, and the way below it. */
interface Holder {
  num: number;
  keys: string[];
}

/** Where a directly written graphics state is. */
function holderOf(run: Run, name: string): Holder | null {
  for (let at: Run | null = run; at; at = at.parent) {
    const resources = at.dict.map.get('Resources');
    if (resources === undefined) continue;
    const isReference = typeof resources === 'object' && resources !== null && 'num' in resources;
    return isReference
      ? { num: resources.num, keys: ['ExtGState', name] }
      : at.object
        ? { num: at.object, keys: ['Resources', 'ExtGState', name] }
        : null;
  }
  return null;
}
