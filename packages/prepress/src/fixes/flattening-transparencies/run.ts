import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  addResources,
  fittingDpi,
  type GraphicsState,
  type ImageEvent,
  interpretPage,
  intersect,
  isDict,
  isEmptyRect,
  isName,
  type Matrix,
  multiply,
  type OperatorEvent,
  openRenderService,
  type PageFacts,
  type PathEvent,
  type PdfDict,
  pdfRef,
  type Rect,
  type RenderService,
  type Run,
  rewriteDocument,
  rewritePdf,
  type ShadingEvent,
  type TextEvent,
  transformRect,
  union,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable } from '../frame/boxes.ts';
import { inkImage, placeImage } from '../frame/ink-image.ts';
import { placeKey } from '../frame/place-key.ts';
import { pruneResources } from '../frame/prune-resources.ts';
import { type FixContext, type FixRunner, failed } from '../runner.ts';

type Context = FixContext<'FlatteningTransparencies'>;

interface PagePlan {
  page: PageFacts;
  /** Where transparency shows; nothing of it is left when these are pictures. */
  regions: Rect[];
  /** Operators whose painting is in a region and transparent: text stays in the file, unseen. */
  drops: Map<string, 'text' | 'path' | 'drop'>;
  hasTones: boolean;
  hasGroups: boolean;
}

export const run: FixRunner<'FlatteningTransparencies'> = async (context) => {
  const { settings, file } = context;
  const plans = changeable(context.pageFacts)
    .map((page) => planPage(context, page))
    .filter((plan) => plan.hasGroups || plan.regions.length > 0);
  if (plans.length === 0) return;
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
  for (const { plan, content } of images) placePictures(context, plan, content);
  context.edit.markChanged();
  removeTransparency(context, plans);
  pruneResources(context.edit);
};

/** Invisible text keeps its advance; an unpainted path keeps the clip that may hang on it. */
function dropped({ place, state }: OperatorEvent, kind: 'text' | 'path' | 'drop' | undefined) {
  if (kind === undefined) return undefined;
  if (kind === 'text') return { before: '3 Tr\n', after: `\n${state.text.mode} Tr\n` };
  return { replace: kind === 'path' ? 'n' : '', ...(kind === 'drop' && place.op === 'BI' && { replace: '' }) };
}

const isTransparent = (state: GraphicsState): boolean =>
  state.fillAlpha < 1 || state.strokeAlpha < 1 || state.softMask !== null || state.blendMode !== 'Normal';

/** Only what counts: an alpha for strokes does not make a fill transparent. */
function paintsTransparent(event: TextEvent | PathEvent | ImageEvent | ShadingEvent): boolean {
  const { state } = event;
  if (state.softMask !== null || state.blendMode !== 'Normal') return true;
  const isStroked =
    (event.kind === 'text' || event.kind === 'path') && (event.paints === 'stroke' || event.paints === 'both');
  const isFilled = !(event.kind === 'text' || event.kind === 'path') || event.paints !== 'stroke';
  if (event.kind === 'image' && (event.image.softMask !== null || event.image.dict.map.has('SMaskInData'))) return true;
  return (isFilled && state.fillAlpha < 1) || (isStroked && state.strokeAlpha < 1);
}

function planPage(context: Context, page: PageFacts): PagePlan {
  const { file } = context;
  const plan: PagePlan = { page, regions: [], drops: new Map(), hasTones: false, hasGroups: false };
  const group = file.entry(page.dict, 'Group');
  plan.hasGroups = isDict(group) && isName(group.map.get('S'), 'Transparency');
  const { media } = page.effective;
  const add = (box: Rect): void => {
    const seen = intersect(grown(box, 1), media);
    if (!isEmptyRect(seen)) plan.regions.push(seen);
  };
  const see = (event: TextEvent | PathEvent | ImageEvent | ShadingEvent, kind: 'text' | 'path' | 'drop'): void => {
    if (!event.layers.isPrinted && !event.layers.isVisible) return;
    if (event.place.run.isInSoftMask || !paintsTransparent(event)) return;
    if (event.place.run.annotation || inAppearance(event.place.run)) {
      context.warn('annotation', { page: page.number });
      return;
    }
    const box = intersect(
      'painted' in event ? event.painted : grown(event.bbox, event.kind === 'text' ? event.effectiveSize * 0.3 : 0),
      event.state.clip.bbox,
    );
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
          plan.hasTones ||= paintsTransparent(event);
        },
        shading(event) {
          see(event, 'drop');
          plan.hasTones = true;
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
          plan.hasTones = true;
        },
      },
    ],
    { everyUse: true },
  );
  plan.regions = context.settings.mode === 'RasterPage' && plan.regions.length > 0 ? [media] : merged(plan.regions);
  return plan;
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

const grown = (box: Rect, by: number): Rect => [box[0] - by, box[1] - by, box[2] + by, box[3] + by];

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
  rewritePdf(context.file, probe);
  const render = openRenderService({ path: probe, workDir: context.workDir, signal: context.signal });
  try {
    for (const entry of plans.entries()) made.push(await renderPage(context, render, entry, plans.length));
    return made;
  } finally {
    render.close();
    rmSync(probe, { force: true });
  }
}

async function renderPage(
  context: Context,
  render: RenderService,
  [index, plan]: [number, PagePlan],
  total: number,
): Promise<Pictures> {
  const { settings, edit } = context;
  context.signal.throwIfAborted();
  // Tones need no more than a screen resolves; edges of line art do.
  const dpi = fittingDpi(plan.page, {
    dpi: plan.hasTones ? settings.imageDpi : Math.max(settings.imageDpi, Math.min(settings.lineArtDpi, 600)),
    box: 'media',
  });
  const plates = await render.plates(plan.page.number, { dpi, box: 'media', annotations: false });
  if (plates.hasTooManySpots && settings.preserveSpots) throw failed('tooManySpots', { page: plan.page.number });
  if (plates.hasErrors) throw failed('notRendered', { page: plan.page.number });
  const content = plan.regions.flatMap((area) => {
    const snapped = snap(area, dpi, plan.page);
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
      before: null,
      after: `${Math.round(dpi)} dpi`,
      parameter: 'mode',
    });
    return image === null ? [] : [{ image, area: snapped }];
  });
  context.progress(index + 1, total);
  return { plan, content };
}

/** Edges on the raster of the plates, so that no pixel is split. */
function snap(area: Rect, dpi: number, page: PageFacts): Rect {
  const step = 72 / dpi / page.userUnit;
  const [x, y] = page.effective.media;
  const down = (value: number, from: number): number => from + Math.floor((value - from) / step + 1e-6) * step;
  const up = (value: number, from: number): number => from + Math.ceil((value - from) / step - 1e-6) * step;
  return [down(area[0], x), down(area[1], y), up(area[2], x), up(area[3], y)];
}

function placePictures({ edit, file, settings }: Context, { page }: PagePlan, content: Pictures['content']): void {
  const now = file.pageNow(page.number);
  if (settings.mode === 'RasterPage') edit.putPage(now, 'Contents', undefined);
  const names = addResources(
    edit,
    now,
    content.map(({ image }) => ({ kind: 'XObject', value: pdfRef(image), hint: 'Flat' })),
  );
  wrapContent(edit, file.pageNow(page.number), {
    before: 'q\n',
    after: `\nQ\n${content.map(({ area }, index) => `q ${placeImage(area)} /${names[index]} Do Q\n`).join('')}`,
  });
}

const stateKeys = ['ca', 'CA', 'BM', 'SMask', 'AIS', 'TK'] as const;

/** What says transparency and no longer means any: groups, and keys of graphics states. */
function removeTransparency(context: Context, plans: readonly PagePlan[]): void {
  const { edit, file } = context;
  const forms = new Set<number>();
  const states = new Map<PdfDict, { num: number; keys: string[] }>();
  for (const { page, regions } of plans) {
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
      const list = run.resources ? file.entry(run.resources, 'ExtGState') : null;
      if (!isDict(list)) return;
      for (const [name, entry] of list.map) {
        const state = file.resolve(entry);
        if (!isDict(state) || states.has(state)) continue;
        const holder =
          typeof entry === 'object' && entry !== null && 'num' in entry
            ? { num: entry.num, keys: [] }
            : holderOf(run, name);
        if (holder) states.set(state, holder);
      }
    };
    interpretPage(file, page.number, [{ pageBegin: note, runBegin: ({ run }) => note(run) }], {
      annotations: false,
      softMasks: false,
    });
  }
  for (const num of forms) edit.put(num, 'Group', undefined);
  for (const [state, { num, keys }] of states) {
    for (const key of stateKeys) if (state.map.has(key)) edit.put(num, [...keys, key], undefined);
  }
}

/** Where a directly written graphics state is. */
function holderOf(run: Run, name: string): { num: number; keys: string[] } | null {
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
