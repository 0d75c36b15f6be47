/** Spot colours of a page: which are used where, and what stands for them. */
import { type ColorSpace, evaluateTint, inkNameOf, isArray, isName, type PdfFile, type Rect } from '@pdf2press/pdf';
import { area, overlap } from './geometry.ts';
import { baseSpace, inkUse, reservedInks, spotNames } from './inks.ts';
import { dictOf } from './pdf-access.ts';
import type { PageObject } from './scene.ts';

export interface SpotUse {
  name: string;
  /** First place. */
  box: Rect | null;
  /** Sum of the boxes of its objects inside the trim, points². */
  area: number;
  /** Alternate family and its values at full tint, rounded: 'DeviceCMYK 0 0.91 0.76 0.06'; null where not a Separation. */
  alternate: string | null;
}

/** The colour spaces an object paints with. */
export function spacesOf(object: PageObject): ColorSpace[] {
  const { event } = object;
  if (object.type === 'image') {
    const { space, isStencil } = object.event.image;
    return isStencil ? [event.state.fill.space] : space ? [space] : [];
  }
  if (object.type === 'shading') return [object.event.shading.space];
  const paints = object.event.paints;
  return [
    ...(paints !== 'stroke' && paints !== 'none' ? [event.state.fill.space] : []),
    ...(paints === 'stroke' || paints === 'both' ? [event.state.stroke.space] : []),
  ];
}

/** Spot names that leave ink: a tint of 0 leaves none; of images and shadings every colorant counts. */
export function inkedSpots(object: PageObject): string[] {
  const names = new Set<string>();
  if (object.type === 'image' && !object.event.image.isStencil) {
    for (const space of spacesOf(object)) for (const name of spotNames(space)) names.add(name);
  } else if (object.type === 'shading') {
    for (const name of spotNames(object.event.shading.space)) names.add(name);
  } else {
    const { state } = object.event;
    for (const [used, paint] of [
      [object.fill, state.fill],
      [object.stroke, state.stroke],
    ] as const) {
      if (!used) continue;
      if (paint.pattern?.type === 'shading') for (const name of spotNames(paint.pattern.shading.space)) names.add(name);
      for (const { name, tint } of inkUse(paint)?.spots ?? [])
        if (tint > 0 && !reservedInks.has(name.toLowerCase())) names.add(name);
    }
  }
  return [...names];
}

export interface SpotCollector {
  add: (object: PageObject, trim: Rect) => void;
  uses: () => SpotUse[];
}

export function createSpotCollector(file: PdfFile): SpotCollector {
  const uses = new Map<string, SpotUse>();
  return {
    add(object, trim) {
      const names = inkedSpots(object);
      if (names.length === 0) return;
      for (const name of names) {
        const known = uses.get(name) ?? { name, box: object.box, area: 0, alternate: null };
        known.area += area(overlap(object.box, trim));
        known.alternate ??= alternateOf(file, spacesOf(object), name);
        uses.set(name, known);
      }
    },
    uses: () => [...uses.values()],
  };
}

function alternateOf(file: PdfFile, spaces: readonly ColorSpace[], name: string): string | null {
  for (const space of spaces) {
    const base = baseSpace(space);
    if (base.family !== 'Separation' || inkNameOf(base.names[0]) !== name) continue;
    const values = evaluateTint(file, base, [1]);
    return values
      ? `${base.alternate.family} ${values.map((value) => Math.round(value * 1000) / 1000).join(' ')}`
      : null;
  }
  return null;
}

/** Spot names that the colour spaces of a resource dictionary define, used or not. */
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
  return [...names].filter((name) => !reservedInks.has(name.toLowerCase()));
}
