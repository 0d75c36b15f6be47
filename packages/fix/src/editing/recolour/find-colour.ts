/** Finds and logs every use of a colour that is to be converted, and collects the images and groups concerned. */
import {
  type ColorSpace,
  type DeviceFamily,
  type ImageEvent,
  type ImageFacts,
  interpreterOf,
  interpretPage,
  isArray,
  isDict,
  isName,
  type OperatorEvent,
  objectPath,
  type PageFacts,
  type Paint,
  type PathEvent,
  type PdfDict,
  type PdfFile,
  type Rect,
  type Run,
  type Shading,
  type ShadingEvent,
  type TextEvent,
} from '@pdf2press/pdf';
import { colourName } from '../blacks.ts';
import { placeKey } from '../place-key.ts';
import { type Backdrop, blendsElsewhere, findBackdrop } from './blend-spaces.ts';
import { colourOperators, spaceBefore } from './colour-operators.ts';
import { boxOf, familyName, type Recolouring, usedFamily } from './recolouring.ts';
import type { SpaceMap } from './space-map.ts';

export interface FoundImage {
  image: ImageFacts;
  isInMask: boolean;
  places: { page: number; box: Rect; path: string }[];
}

export interface FoundInline {
  event: ImageEvent;
  page: number;
  isInMask: boolean;
}

export interface Found {
  /** By object number. */
  images: Map<number, FoundImage>;
  /** By place key. */
  inline: Map<string, FoundInline>;
  /** Object numbers of forms and pages with a transparency group. */
  groups: Set<number>;
  maskGroups: Set<number>;
  /** By soft mask dictionary. */
  backdrops: Map<PdfDict, Backdrop>;
  changes: boolean;
}

type Painted = TextEvent | PathEvent | ShadingEvent | ImageEvent;

export function findColour(job: Recolouring): Found {
  const found: Found = {
    images: new Map(),
    inline: new Map(),
    groups: new Set(),
    maskGroups: new Set(),
    backdrops: new Map(),
    changes: false,
  };
  for (const page of job.context.pageFacts) {
    job.context.signal.throwIfAborted();
    findOnPage(job, page, found);
  }
  return found;
}

function findOnPage(job: Recolouring, page: PageFacts, found: Found): void {
  const { context, options, mapIn } = job;
  const { file } = context;
  const group = file.entry(page.dict, 'Group');
  const isGroupOther = options.blendSpace !== null && blendsElsewhere(file, group, options.blendSpace);
  let [isUsed, isSet] = [false, false];

  // Objects that blend in a new space look different even when their own colour stays the same.
  const see = (event: Painted): void => {
    if (isGroupOther || isInOtherGroup(event.place.run, options.blendSpace)) context.declare(page.number, boxOf(event));
  };
  const log = (event: Painted, before: string, after: string): void => {
    found.changes = true;
    isUsed = true;
    warnOfTransfer(job, event);
    if (event.place.run.isInSoftMask) return;
    context.log({
      what: event.kind,
      page: page.number,
      object: `${event.place.run.object} 0 R ${objectPath(event.place)}`,
      box: boxOf(event),
      before,
      after,
      parameter: options.parameter,
    });
  };
  const paint = (event: TextEvent | PathEvent | ImageEvent, used: Paint): void => {
    if (used.pattern?.type === 'shading') {
      shading(event, used.pattern.shading);
      return;
    }
    // The pattern cell is logged where it is defined; its effect shows here.
    if (used.pattern?.isColored) {
      context.declare(page.number, boxOf(event));
      return;
    }
    const space = used.space.family === 'Pattern' ? (used.space.underlying ?? used.space) : used.space;
    const map = options.converts.operators ? mapIn(space, event.place.run) : null;
    if (map) log(event, colourName({ ...used, space, pattern: null }), colourAfter(job, map, used.values));
  };
  const shading = (event: Painted, used: Shading): void => {
    const map = options.converts.shadings ? mapIn(used.space, event.place.run) : null;
    if (map) log(event, usedFamily(used.space), familyName(file, map.value));
  };
  const painted = (event: TextEvent | PathEvent): void => {
    see(event);
    if (event.paints === 'fill' || event.paints === 'both') paint(event, event.state.fill);
    if (event.paints === 'stroke' || event.paints === 'both') paint(event, event.state.stroke);
  };

  interpretPage(
    file,
    page.number,
    [
      {
        text: painted,
        path: painted,
        shading(event) {
          see(event);
          shading(event, event.shading);
        },
        image(event) {
          see(event);
          if (event.image.isStencil) paint(event, event.state.fill);
          else if (options.converts.images) gatherImage(job, event, page.number, found);
        },
        runBegin({ run }) {
          if (run.group?.space && run.object) (run.isInSoftMask ? found.maskGroups : found.groups).add(run.object);
        },
        // Colours that are set but never painted with are converted as well, so that the old space does not stay in the
        // file.
        operator(event: OperatorEvent) {
          if (event.place.op === 'gs') findBackdrop(job, event, found.backdrops);
          if (isUsed || isSet || !options.converts.operators || !colourOperators.has(event.place.op)) return;
          isSet = mapIn(spaceBefore(file, event), event.place.run) !== null;
        },
      },
    ],
    { annotations: context.touches('annotation'), everyUse: true, unshown: true },
  );

  // The thumbnail also uses the old colours.
  const thumbnail = thumbnailSpace(file, page);
  isSet ||= thumbnail !== null && options.mapSpace(thumbnail, false) !== null;
  if (isSet && !isUsed) {
    found.changes = true;
    context.log({ what: 'unused', page: page.number, before: null, after: null, parameter: options.parameter });
  }
  if (isGroupOther) found.changes = true;
  if (isDict(group) && group.map.has('CS')) found.groups.add(page.object);
}

function gatherImage(job: Recolouring, event: ImageEvent, page: number, found: Found): void {
  const { options, mapIn, context } = job;
  const { place } = event;
  const { isInSoftMask } = place.run;
  if (isInSoftMask && !options.includesMasks) return;
  for (const image of [event.image, ...alternatesOf(context.file, event.image)]) {
    if (image.space ? !mapIn(image.space, place.run) : image.encoding !== 'JPX') continue;
    found.changes = true;
    warnOfTransfer(job, event);
    if (image.object === 0) {
      found.inline.set(placeKey(place), { event, page, isInMask: isInSoftMask });
      continue;
    }
    const known = found.images.get(image.object) ?? { image, isInMask: isInSoftMask, places: [] };
    known.places.push({ page, box: boxOf(event), path: `${image.object} 0 R ${objectPath(place)}` });
    found.images.set(image.object, known);
  }
}

/**
 * A transfer function was made for the original components (ISO 32000-1, 10.5); its effect on converted colours is
 * undefined.
 */
function warnOfTransfer({ context }: Recolouring, { state, place }: Painted): void {
  const transfer = state.device?.get('TR2') ?? state.device?.get('TR');
  const value = transfer === undefined ? null : context.file.resolve(transfer);
  if (value === null || isName(value, 'Identity') || isName(value, 'Default')) return;
  context.warn('transferFunction', { page: place.run.page });
}

/** Alternate images that a viewer may show instead (ISO 32000-1, 8.9.5.4). */
function alternatesOf(file: PdfFile, { dict, object }: ImageFacts): ImageFacts[] {
  const list = object === 0 ? null : file.entry(dict, 'Alternates');
  return (isArray(list) ? list : []).flatMap((entry) => {
    const alternate = file.resolve(entry);
    const picture = isDict(alternate) ? file.entry(alternate, 'Image') : null;
    return isDict(picture) && picture.stream !== 0 ? [interpreterOf(file).images.read(picture, null)] : [];
  });
}

function thumbnailSpace(file: PdfFile, page: PageFacts): ColorSpace | null {
  const picture = file.entry(page.dict, 'Thumb');
  if (!isDict(picture)) return null;
  const space = interpreterOf(file).spaces.read(picture.map.get('ColorSpace'), null);
  return space.family === 'Indexed' ? space.base : space;
}

/**
 * The converted colour for the log, for example `DeviceCMYK 0 41.4 94 1.8`; only the space when the values stay the
 * same.
 */
function colourAfter({ context }: Recolouring, map: SpaceMap, values: readonly number[]): string {
  const family = familyName(context.file, map.value);
  if (map.isSameValues) return family;
  const numbers = map.convert(values).map((value) => Math.round(value * 1000) / 10);
  return `${family} ${numbers.join(' ')}`;
}

function isInOtherGroup(run: Run, blendSpace: DeviceFamily | null): boolean {
  for (let at: Run | null = blendSpace === null ? null : run; at; at = at.parent) {
    if (at.group?.space && at.group.space.family !== blendSpace) return true;
  }
  return false;
}
