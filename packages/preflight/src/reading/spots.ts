/** Spot colours of a page: which are used, where, and their alternate colours. */
import {
  area,
  baseSpace,
  type ColorSpace,
  dictOf,
  evaluateTint,
  type ImageFacts,
  inkNameOf,
  inkUse,
  isArray,
  isName,
  overlap,
  type Paint,
  type PdfFile,
  processInks,
  type Rect,
  reservedInks,
} from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

export interface SpotUse {
  name: string;
  /** Box of the first object that uses it, default user space. */
  box: Rect | null;
  /** Sum of the areas of its objects' boxes inside the trim, square units of default user space. */
  area: number;
  /** Alternate spaces and their values at full tint, 'DeviceCMYK 0 0.91 0.76 0.06', each once; of Separations only. */
  alternates: string[];
  /** The same at several tints: spot colours with one such text print alike on a press without their inks. */
  curve: string | null;
}

/** Colour spaces of an object's fill, stroke, image or shading. */
export function spacesOf(object: PageObject): ColorSpace[] {
  const { event } = object;
  if (object.type === 'image') {
    const { image } = object.event;
    const space = image.space ?? spaceOfJpx(image);
    return image.isStencil ? [paintedSpace(event.state.fill)] : space ? [space] : [];
  }
  if (object.type === 'shading') return [object.event.shading.space];
  const paints = object.event.paints;
  return [
    ...(paints !== 'stroke' && paints !== 'none' ? [paintedSpace(event.state.fill)] : []),
    ...(paints === 'stroke' || paints === 'both' ? [paintedSpace(event.state.stroke)] : []),
  ];
}

/** The space that a paint's colours are in: of a shading pattern, the shading's. */
const paintedSpace = ({ space, pattern }: Paint): ColorSpace =>
  pattern?.type === 'shading' ? pattern.shading.space : space;

/** A JPEG 2000 image may have its colour space in its own data; the number of its components tells which (ISO 32000-1, 7.4.9). */
function spaceOfJpx({ encoding, components, dict }: ImageFacts): ColorSpace | null {
  if (encoding !== 'JPX') return null;
  return jpxSpaces[components - (dict.map.has('SMaskInData') ? 1 : 0)] ?? null;
}
const jpxSpaces: Readonly<Record<number, ColorSpace>> = {
  1: { family: 'DeviceGray', components: 1, object: 0 },
  3: { family: 'DeviceRGB', components: 3, object: 0 },
  4: { family: 'DeviceCMYK', components: 4, object: 0 },
};

const isSpot = (name: string): boolean => !reservedInks.has(name.toLowerCase());
const processNames = new Set<string>(processInks);

/** Spot colours that an object prints. A tint of 0 does not count; of images and shadings all colorants count. */
export const inkedSpots = (object: PageObject): string[] => inkedNames(object).filter(isSpot);

/**
 * Inks of an object that are named like a process ink in another case: `cyan`. Names of inks are told apart by case (ISO
 * 32000-1, 8.6.6.4), so each makes a plate of its own beside the process plate.
 */
export const misspeltInks = (object: PageObject): string[] =>
  inkedNames(object).filter((name) => !processNames.has(name) && lowerProcess.has(name.toLowerCase()));
const lowerProcess = new Set(processInks.map((name) => name.toLowerCase()));

function colorantsOf(space: ColorSpace): string[] {
  const base = baseSpace(space);
  return base.family === 'Separation' || base.family === 'DeviceN' ? [...base.names] : [];
}

function inkedNames(object: PageObject): string[] {
  const names = new Set<string>();
  if (object.type === 'image' && !object.event.image.isStencil) {
    for (const space of spacesOf(object)) for (const name of colorantsOf(space)) names.add(name);
  } else if (object.type === 'shading') {
    for (const name of colorantsOf(object.event.shading.space)) names.add(name);
  } else {
    const { state } = object.event;
    for (const [used, paint] of [
      [object.fill, state.fill],
      [object.stroke, state.stroke],
    ] as const) {
      if (!used) continue;
      if (paint.pattern?.type === 'shading')
        for (const name of colorantsOf(paint.pattern.shading.space)) names.add(name);
      for (const { name, tint } of inkUse(paint)?.spots ?? []) if (tint > 0) names.add(name);
    }
  }
  return [...names];
}

export interface SpotCollector {
  add: (object: PageObject, trim: Rect) => void;
  uses: () => SpotUse[];
}

/** Collects the spot colours of objects; `uses` returns one entry per spot colour. */
export function createSpotCollector(file: PdfFile): SpotCollector {
  const uses = new Map<string, SpotUse>();
  return {
    add(object, trim) {
      const names = inkedSpots(object);
      if (names.length === 0) return;
      for (const name of names) {
        const known = uses.get(name) ?? { name, box: object.box, area: 0, alternates: [], curve: null };
        known.area += area(overlap(object.box, trim));
        const alternate = alternateOf(file, spacesOf(object), name, [1]);
        known.curve ??= alternateOf(file, spacesOf(object), name, [1, 0.75, 0.5, 0.25]);
        if (alternate !== null && !known.alternates.includes(alternate)) known.alternates.push(alternate);
        uses.set(name, known);
      }
    },
    uses: () => [...uses.values()],
  };
}

function alternateOf(
  file: PdfFile,
  spaces: readonly ColorSpace[],
  name: string,
  tints: readonly number[],
): string | null {
  for (const space of spaces) {
    const base = baseSpace(space);
    if (base.family !== 'Separation' || base.names[0] !== name) continue;
    const values = tints.flatMap((tint) => evaluateTint(file, base, [tint]) ?? []);
    return values.length > 0
      ? `${base.alternate.family} ${values.map((value) => Math.round(value * 1000) / 1000).join(' ')}`
      : null;
  }
  return null;
}

/** Spot colours defined in a resource dictionary, used or not. */
export function definedSpots(file: PdfFile, resources: Parameters<typeof dictOf>[1]): string[] {
  const names = new Set<string>();
  for (const [, value] of dictOf(file, resources, 'ColorSpace')?.map ?? []) {
    const space = file.resolve(value);
    if (!isArray(space)) continue;
    const [family, named] = space.map((part) => file.resolve(part));
    if (isName(family, 'Separation') && isName(named)) names.add(inkNameOf(named.name));
    if (isName(family, 'DeviceN') && isArray(named)) {
      for (const each of named) if (isName(each)) names.add(inkNameOf(each.name));
    }
  }
  return [...names].filter(isSpot);
}
