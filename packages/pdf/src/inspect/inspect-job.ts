/** The part of an inspection that is computed for each page, in any thread. */
import type { ImageInspection, PageInspection } from '@pdf2press/contract';
import { colorantsOf } from '../interpret/color-spaces.ts';
import { interpretPage } from '../interpret/interpret-page.ts';
import type { PageJob } from '../interpret/run-pages.ts';
import type {
  ColorSpace,
  EventBase,
  GraphicsState,
  ImageEvent,
  ImageFacts,
  Paint,
  Reader,
  Rect,
  Run,
} from '../interpret/types.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { type FontUse, scanFonts } from './scan-fonts.ts';

export interface PageContribution {
  page: PageInspection;
  images: ImageInspection[];
  fonts: FontUse[];
  /** Object numbers of fonts used by a text operator. */
  shownFonts: number[];
}

/** Starts the page job of `inspectPdf`; exported because worker threads load it by name. */
export function inspectJob(file: PdfFile): PageJob<PageContribution> {
  return { page: (number) => inspectPage(file, number) };
}

function inspectPage(file: PdfFile, number: number): PageContribution {
  const facts = file.pages[number - 1];
  if (!facts) throw new RangeError(`no page ${number}`);
  const inks = new Set<string>();
  const shownFonts = new Set<number>();
  const images: ImageInspection[] = [];
  const look = { hasTransparency: false };
  interpretPage(file, number, [inkReader(inks), transparencyReader(look), imageReader(images), fontReader(shownFonts)]);
  return {
    page: {
      number,
      label: facts.label,
      boxes: copyBoxes(facts.boxes),
      effective: copyBoxes(facts.effective),
      rotate: facts.rotate,
      userUnit: facts.userUnit,
      inks: sortInks(inks),
      transparency: look.hasTransparency,
    },
    images,
    fonts: scanFonts(file, facts),
    shownFonts: [...shownFonts],
  };
}

type Boxes<T> = Record<'media' | 'crop' | 'bleed' | 'trim' | 'art', T>;

function copyBoxes<T extends Rect | null>(
  boxes: Readonly<Boxes<T>>,
): Boxes<T extends null ? null : [number, number, number, number]> {
  const copy = (box: T): unknown => box && [...box];
  return {
    media: copy(boxes.media),
    crop: copy(boxes.crop),
    bleed: copy(boxes.bleed),
    trim: copy(boxes.trim),
    art: copy(boxes.art),
  } as never;
}

const processOrder = ['Cyan', 'Magenta', 'Yellow', 'Black'];

/** Process inks in printing order, then spot inks by name. */
function sortInks(inks: ReadonlySet<string>): string[] {
  const rank = (ink: string): number => (processOrder.includes(ink) ? processOrder.indexOf(ink) : processOrder.length);
  return [...inks].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** False for content that is hidden by layers or clipped completely. */
function shows(event: Pick<EventBase, 'layers' | 'state'>): boolean {
  return (event.layers.isVisible || event.layers.isPrinted) && !event.state.clip.isEmpty;
}

function inkReader(inks: Set<string>): Reader {
  const addAll = (space: ColorSpace): void => {
    for (const name of colorantsOf(space)) if (name !== 'None' && name !== 'All') inks.add(name);
  };
  const addPaint = (paint: Paint): void => {
    if (paint.pattern?.type === 'shading') {
      addAll(paint.pattern.shading.space);
      return;
    }
    if (paint.pattern) return;
    const { space, values } = paint;
    if (space.family === 'Indexed') {
      addAll(space);
      return;
    }
    // In grey spaces 0 is full ink.
    const isGray = space.family === 'DeviceGray' || (space.components === 1 && space.family === 'ICCBased');
    colorantsOf(space).forEach((name, index) => {
      const value = values[index] ?? 0;
      const hasInk = isGray ? value < 1 : value > 0;
      if (hasInk && name !== 'None' && name !== 'All') inks.add(name);
    });
  };
  const addPainted = (state: GraphicsState, paints: 'fill' | 'stroke' | 'both' | 'none'): void => {
    if (paints === 'fill' || paints === 'both') addPaint(state.fill);
    if (paints === 'stroke' || paints === 'both') addPaint(state.stroke);
  };
  const isInk = (event: EventBase): boolean => shows(event) && !event.place.run.isInSoftMask;
  return {
    text: (event) => void (isInk(event) && addPainted(event.state, event.paints)),
    path: (event) => void (isInk(event) && addPainted(event.state, event.paints)),
    shading: (event) => void (isInk(event) && addAll(event.shading.space)),
    image: (event) => {
      if (!isInk(event)) return;
      if (event.image.isStencil) addPaint(event.state.fill);
      else if (event.image.space) addAll(event.image.space);
    },
  };
}

function transparencyReader(look: { hasTransparency: boolean }): Reader {
  const lookAt = (state: GraphicsState): void => {
    if (state.blendMode !== 'Normal' || state.fillAlpha < 1 || state.strokeAlpha < 1 || state.softMask)
      look.hasTransparency = true;
  };
  const check = (event: EventBase): void => {
    if (!look.hasTransparency && shows(event)) lookAt(event.state);
  };
  return {
    text: check,
    path: check,
    shading: check,
    image: (event) => {
      check(event);
      if (event.image.softMask && shows(event)) look.hasTransparency = true;
    },
    runBegin: ({ run, state }) => {
      if (run.kind === 'form' && run.group) look.hasTransparency = true;
      if (run.kind === 'appearance') lookAt(state);
    },
  };
}

function fontReader(shown: Set<number>): Reader {
  return {
    text: (event) => {
      if (event.font) shown.add(event.font.object);
    },
  };
}

/** Images in pattern cells and in Type 3 glyphs are not counted as drawings. */
function isDrawing(run: Run): boolean {
  if (run.isInPattern) return false;
  for (let at: Run | null = run; at; at = at.parent) if (at.kind === 'type3') return false;
  return run.annotation?.isVisible ?? true;
}

function imageReader(images: ImageInspection[]): Reader {
  return {
    image: (event) => {
      if (!event.layers.isVisible || !isDrawing(event.place.run)) return;
      images.push(describe(event, event.image, event.image.isStencil ? 'stencil' : 'image'));
      if (event.image.softMask) images.push(describe(event, event.image.softMask, 'softmask'));
      else if (event.image.mask) images.push(describe(event, event.image.mask, 'mask'));
    },
  };
}

function describe(event: ImageEvent, image: ImageFacts, kind: ImageInspection['kind']): ImageInspection {
  // A mask covers the same area as its image, with a resolution of its own.
  const ppi = (value: number, size: number, own: number): number | null => {
    const scaled = size === 0 ? Number.NaN : (value * own) / size;
    return Number.isFinite(scaled) ? round(scaled) : null;
  };
  return {
    page: event.place.run.page,
    object: event.image.object,
    maskObject: image === event.image ? null : image.object,
    kind,
    inline: event.isInline,
    width: image.width,
    height: image.height,
    colorSpace: kind === 'image' || kind === 'softmask' ? (image.space?.family ?? null) : null,
    components: image.components,
    bitsPerComponent: image.bitsPerComponent,
    encoding: image.encoding,
    ppi: { x: ppi(event.ppi.x, event.image.width, image.width), y: ppi(event.ppi.y, event.image.height, image.height) },
    bbox: [round(event.bbox[0]), round(event.bbox[1]), round(event.bbox[2]), round(event.bbox[3])],
  };
}

/** Rounds to thousandths, which is finer than any file needs. */
const round = (value: number): number => (Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0);
