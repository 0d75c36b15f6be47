/** Settings and lookup of one colour conversion, shared by its parts. */
import {
  type ColorSpace,
  type DeviceFamily,
  type ImageEvent,
  isArray,
  isName,
  type PathEvent,
  type PdfFile,
  type PdfValue,
  type Rect,
  type Run,
  type Shading,
  type ShadingEvent,
  shownOnPage,
  type TextEvent,
} from '@pdf2press/pdf';
import type { FixContext } from '../../kind/runner.ts';
import { type MapSpace, rangesOf, type SpaceMap } from './space-map.ts';

export interface RecolourOptions {
  mapSpace: MapSpace;
  /** The conversion of one shading, where that depends on more than its space. */
  mapShading?: (shading: Shading, run: Run) => SpaceMap | null;
  /** New blending space of transparency groups; null leaves them unchanged. */
  blendSpace: DeviceFamily | null;
  /**
   * Device space of converted colours. A default colour space of the file for it is removed, or it would convert the
   * colours again.
   */
  target: DeviceFamily | null;
  jpegQuality: number;
  /** Also converts the content of soft masks. */
  includesMasks: boolean;
  converts: { operators: boolean; images: boolean; shadings: boolean };
  parameter: string;
}

export interface Recolouring {
  readonly context: FixContext;
  readonly options: RecolourOptions;
  /** The conversion of a colour space used in a run; null leaves it as it is. */
  readonly mapIn: (space: ColorSpace, run: Run) => SpaceMap | null;
}

export const recolouring = (context: FixContext, options: RecolourOptions): Recolouring => ({
  context,
  options,
  mapIn(space, run) {
    if (run.isInSoftMask && !options.includesMasks) return null;
    const map = (one: ColorSpace) => options.mapSpace(one, run.isInSoftMask);
    return space.family === 'Indexed' ? throughPalette(space, map(space.base)) : map(space);
  },
});

/** Converts palette entries to colours of the new space, for painting operators that use an Indexed space. */
function throughPalette(space: Extract<ColorSpace, { family: 'Indexed' }>, map: SpaceMap | null): SpaceMap | null {
  if (!map) return null;
  const { value, device, components, convert } = map;
  return {
    value,
    device,
    components,
    isSameValues: false,
    convert: ([index = 0]) => convert(paletteColour(space, Math.min(space.hival, Math.max(0, Math.round(index))))),
  };
}

/** A palette entry as a colour of the base space. */
export function paletteColour({ base, lookup }: Extract<ColorSpace, { family: 'Indexed' }>, entry: number): number[] {
  const ranges = rangesOf(base);
  return Array.from({ length: base.components }, (_, index) => {
    const [low, high] = [ranges[index * 2] ?? 0, ranges[index * 2 + 1] ?? 1];
    return low + ((lookup[entry * base.components + index] ?? 0) / 255) * (high - low);
  });
}

/** Bounding box of an object as painted: with line width and joins, clipped, with a margin for anti-aliasing. */
export function boxOf(event: TextEvent | PathEvent | ShadingEvent | ImageEvent): Rect {
  const { bbox, state, place } = event;
  const corner = state.lineJoin === 0 ? state.miterLimit : 1;
  const reach = 2 + (event.kind === 'path' ? (event.lineWidth / 2) * Math.max(1, corner) : 0);
  const clip = state.clip.bbox;
  const box: Rect = [
    Math.max(bbox[0] - reach, clip[0] - 2),
    Math.max(bbox[1] - reach, clip[1] - 2),
    Math.min(bbox[2] + reach, clip[2] + 2),
    Math.min(bbox[3] + reach, clip[3] + 2),
  ];
  return shownOnPage(place.run, box[0] <= box[2] && box[1] <= box[3] ? box : bbox);
}

/** The family for the log: `DeviceCMYK`, or `Indexed (DeviceRGB)` for a palette. */
export const usedFamily = (space: ColorSpace): string =>
  space.family === 'Indexed' ? `Indexed (${space.base.family})` : space.family;

/** The family of a colour space value, with the alternate of inks: `Separation (DeviceCMYK)`. */
export function familyName(file: PdfFile, value: PdfValue | undefined): string {
  const space = file.resolve(value);
  if (isName(space)) return space.name;
  const [first, second, alternate] = isArray(space) ? space : [];
  const family = isName(first) ? first.name : '';
  if (family === 'Indexed') return `${family} (${familyName(file, second)})`;
  return family === 'Separation' || family === 'DeviceN' ? `${family} (${familyName(file, alternate)})` : family;
}
