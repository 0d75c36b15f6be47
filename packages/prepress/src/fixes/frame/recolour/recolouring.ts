/** One conversion of colour, as each of its parts sees it. */
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
  type ShadingEvent,
  type TextEvent,
} from '@pdf2press/pdf';
import type { FixContext } from '../../runner.ts';
import { type MapSpace, rangesOf, type SpaceMap } from './space-map.ts';

export interface RecolourOptions {
  mapSpace: MapSpace;
  /** Space that groups blend in from then on; null leaves them. */
  blendSpace: DeviceFamily | null;
  /** Device space that colours end in: what a file puts in its place would change them again. */
  target: DeviceFamily | null;
  jpegQuality: number;
  /** Content of soft masks too. */
  includesMasks: boolean;
  converts: { operators: boolean; images: boolean; shadings: boolean };
  parameter: string;
}

export interface Recolouring {
  readonly context: FixContext;
  readonly options: RecolourOptions;
  /** What becomes of a space that a run paints with, or shows pictures or gradients in. */
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

/** A palette's colours one by one, for what paints with its numbers: the palette itself goes. */
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

/** An entry of a palette as a colour of its base. */
export function paletteColour({ base, lookup }: Extract<ColorSpace, { family: 'Indexed' }>, entry: number): number[] {
  const ranges = rangesOf(base);
  return Array.from({ length: base.components }, (_, index) => {
    const [low, high] = [ranges[index * 2] ?? 0, ranges[index * 2 + 1] ?? 1];
    return low + ((lookup[entry * base.components + index] ?? 0) / 255) * (high - low);
  });
}

/** Where an object shows: with its line's width and corners, clipped, a little over for anti-aliasing. */
export function boxOf(event: TextEvent | PathEvent | ShadingEvent | ImageEvent): Rect {
  const { bbox, state } = event;
  const corner = state.lineJoin === 0 ? state.miterLimit : 1;
  const reach = 2 + (event.kind === 'path' ? (event.lineWidth / 2) * Math.max(1, corner) : 0);
  const clip = state.clip.bbox;
  const box: Rect = [
    Math.max(bbox[0] - reach, clip[0] - 2),
    Math.max(bbox[1] - reach, clip[1] - 2),
    Math.min(bbox[2] + reach, clip[2] + 2),
    Math.min(bbox[3] + reach, clip[3] + 2),
  ];
  return box[0] <= box[2] && box[1] <= box[3] ? box : bbox;
}

/** `DeviceCMYK`; of a palette with what its colours are: `Indexed (DeviceRGB)`. */
export const usedFamily = (space: ColorSpace): string =>
  space.family === 'Indexed' ? `Indexed (${space.base.family})` : space.family;

/** The same of a space as it is written; of inks with what stands for them: `Separation (DeviceCMYK)`. */
export function familyName(file: PdfFile, value: PdfValue | undefined): string {
  const space = file.resolve(value);
  if (isName(space)) return space.name;
  const [first, second, alternate] = isArray(space) ? space : [];
  const family = isName(first) ? first.name : '';
  if (family === 'Indexed') return `${family} (${familyName(file, second)})`;
  return family === 'Separation' || family === 'DeviceN' ? `${family} (${familyName(file, alternate)})` : family;
}
