import {
  defaultCmykProfile,
  deflateSamples,
  type ImageFacts,
  interpretPage,
  isShippedProfile,
  numberText,
  objectPath,
  type Paint,
  type PathEvent,
  pdfDict,
  type Rect,
  readSamples,
  type TextEvent,
} from '@pdf2press/pdf';
import { colourName } from '../../editing/blacks.ts';
import { intentProfile } from '../../editing/output-intent.ts';
import { type ColourText, type Override, overridePaint } from '../../editing/override.ts';
import { isTransparent } from '../../editing/painted.ts';
import { naturalPixels } from '../../editing/recolour/images.ts';
import { boxOf } from '../../editing/recolour/recolouring.ts';
import { rangesOf } from '../../editing/recolour/space-map.ts';
import { alternateValue, inkSpaceValue } from '../../editing/space-value.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { limitInk } from './contract.ts';
import { limitGradients } from './gradients.ts';
import { createLimiter, type InkLimiter } from './limiter.ts';
import { isCmyk, limiterOf } from './process-inks.ts';

type Context = FixContext<typeof limitInk>;

export const run: FixRunner<typeof limitInk> = async (context) => {
  const { settings, file, warn } = context;
  const { profile } = settings;
  if (profile !== null && !isShippedProfile(profile)) throw failed('profileUnknown', { profile });
  const limiter = createLimiter(await context.colour(), profile ?? intentProfile(file, 4) ?? defaultCmykProfile, {
    maxInk: settings.maxInk / 100,
    maxBlack: settings.maxBlack / 100,
    blackStart: settings.blackStart / 100,
  });
  if (context.touches('image')) await limitImages(context, limiter);
  if (context.touches('vector')) limitGradients(context, limiter);
  overridePaint(context, (event) => limitPaint(context, limiter, event));
  const deltaE = Math.round(limiter.worst() * 10) / 10;
  if (deltaE > settings.tolerance) warn('beyond', { deltaE, tolerance: settings.tolerance });
};

function limitPaint(context: Context, limiter: InkLimiter, event: TextEvent | PathEvent): Override | null {
  const { paints, state, kind, place } = event;
  if (paints === 'none' || !context.touches(kind === 'text' ? 'text' : 'vector')) return null;
  const { page } = place.run;
  const limited = (paint: Paint, isStroke: boolean) => {
    const found = limitedColour(limiter, paint, isStroke);
    if (found !== 'unwritable') return found;
    context.warn('inksLeft', { page });
    return null;
  };
  const fill = paints === 'stroke' ? null : limited(state.fill, false);
  const stroke = paints === 'fill' ? null : limited(state.stroke, true);
  const now = fill ?? stroke;
  if (!now) return null;
  if (isTransparent(state) || place.run.group !== null) context.warn('transparency', { page });
  return {
    ...(fill && { fill: fill.colour }),
    ...(stroke && { stroke: stroke.colour }),
    log: {
      what: kind === 'text' ? 'text' : 'vector',
      before: colourName(fill ? state.fill : state.stroke),
      after: now.name,
      parameter: 'maxInk',
    },
  };
}

/** Null for a colour within the limit, and for one that is not of process inks. */
function limitedColour(
  limiter: InkLimiter,
  paint: Paint,
  isStroke: boolean,
): { colour: ColourText; name: string } | 'unwritable' | null {
  const { space } = paint;
  const inks = paint.pattern ? null : limiterOf(limiter, space);
  if (!inks?.isOver(paint.values)) return null;
  // Rounded down, so that the total stays within the limit.
  const values = inks.limit(paint.values).map((ink) => Math.floor(ink * 10_000 + 1e-6) / 10_000);
  const text = values.map(numberText).join(' ');
  const name = colourName({ space, values, pattern: null });
  if (space.family === 'DeviceCMYK') return { colour: { text: `${text} ${isStroke ? 'K' : 'k'}` }, name };
  // The same space: inks that it does not have stay untouched below.
  const value = space.family === 'DeviceN' ? inkSpaceValue(space) : alternateValue(space);
  if (value === null) return 'unwritable';
  return { colour: { text: `/{} ${isStroke ? 'CS' : 'cs'} ${text} ${isStroke ? 'SCN' : 'scn'}`, space: value }, name };
}

interface Use {
  image: ImageFacts;
  places: { page: number; box: Rect; object: string }[];
}

async function limitImages(context: Context, limiter: InkLimiter): Promise<void> {
  const uses = findImages(context, limiter);
  for (const [done, use] of [...uses.values()].entries()) {
    context.signal.throwIfAborted();
    context.progress(done, uses.size);
    await limitImage(context, limiter, use);
  }
}

/** CMYK images of the chosen pages. Those that other pages show as well are left and reported. */
function findImages({ file, pages, warn }: Context, limiter: InkLimiter): Map<number, Use> {
  const uses = new Map<number, Use>();
  const elsewhere = new Set<number>();
  const chosen = new Set(pages);
  for (const { number } of file.pages) {
    interpretPage(file, number, [
      {
        image(event) {
          const { image, isInline, place } = event;
          if (image.isStencil || place.run.isInSoftMask) return;
          if (!chosen.has(number)) return void elsewhere.add(image.object);
          if (isInline || !isCmyk(image.space)) {
            const base = image.space?.family === 'Indexed' ? image.space.base : image.space;
            if (base && limiterOf(limiter, base)) warn('imageLeft', { page: number });
            return;
          }
          const use = uses.get(image.object) ?? { image, places: [] };
          use.places.push({ page: number, box: boxOf(event), object: objectPath(event.place) });
          uses.set(image.object, use);
        },
      },
    ]);
  }
  for (const object of elsewhere) {
    const use = uses.get(object);
    if (use) warn('imageLeft', { page: use.places[0]?.page ?? null });
    uses.delete(object);
  }
  return uses;
}

/** Entries that describe how the old data was encoded. */
const ofData = ['Filter', 'DecodeParms', 'Length', 'DL', 'Decode', 'BitsPerComponent'] as const;

/**
 * Rewrites an image with pixels above the limit, without loss: the artefacts of a JPEG would be above it again. Others stay
 * as they are.
 */
async function limitImage({ edit, settings, log, warn }: Context, limiter: InkLimiter, use: Use): Promise<void> {
  const { image, places } = use;
  const page = places[0]?.page ?? null;
  const samples = await readSamples(edit.file, image, null);
  if (!samples || !image.space) return warn('imageUnreadable', { page, object: image.object });
  // A copy, because samples may be the file's own buffer.
  const pixels = Uint8Array.from(naturalPixels(samples, image, rangesOf(image.space), 8));
  const count = limiter.limitPixels(pixels);
  if (count === 0) return;
  if (image.colorKey || samples.alpha) return warn('imageLeft', { page });
  const { width, height } = samples;
  const { bytes, entries } = await deflateSamples(pixels, width, height, 4);
  const kept = pdfDict(Object.fromEntries(ofData.map((key) => [key, undefined])), { ...image.dict, stream: 0 });
  const dict = pdfDict({ Width: width, Height: height, BitsPerComponent: 8, ...Object.fromEntries(entries.map) }, kept);
  edit.setStream(image.object, bytes, dict);
  const share = Math.round((count / (width * height)) * 1000) / 10;
  for (const { page: at, box, object } of places)
    log({
      what: 'image',
      page: at,
      object,
      box,
      before: null,
      after: `${settings.maxInk} %`,
      parameter: 'maxInk',
      params: { share },
    });
}
