/** Brings gradients within the limit: functions are sampled, the corners of meshes are changed. */
import {
  interpretPage,
  isDict,
  isName,
  objectPath,
  type PathEvent,
  type PdfFile,
  type PdfValue,
  type Run,
  type Shading,
  type ShadingEvent,
  type TextEvent,
} from '@pdf2press/pdf';
import { pruneResources } from '../../editing/prune-resources.ts';
import { boxOf, type RecolourOptions, recolouring } from '../../editing/recolour/recolouring.ts';
import { rewriteColour } from '../../editing/recolour/rewrite-colour.ts';
import { convertShading } from '../../editing/recolour/shadings.ts';
import type { SpaceMap } from '../../editing/recolour/space-map.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { limitInk } from './contract.ts';
import type { InkLimiter } from './limiter.ts';
import { limiterOf, type SpaceLimiter } from './process-inks.ts';

/** Only shadings change; what else has a colour is changed by the other parts of this fix. */
const onlyShadings: RecolourOptions = {
  mapSpace: () => null,
  blendSpace: null,
  target: null,
  jpegQuality: 100,
  includesMasks: false,
  converts: { operators: false, images: false, shadings: true },
  parameter: 'maxInk',
};

/** Changes shadings with colours above the limit, also those of patterns; soft masks stay. What cannot be read is told. */
export function limitGradients(context: FixContext<typeof limitInk>, limiter: InkLimiter): void {
  const { file, pages, settings, edit } = context;
  const known = new Map<Shading['dict'], SpaceMap | 'unreadable' | null>();
  const mapOf = (shading: Shading, run: Run): SpaceMap | 'unreadable' | null => {
    if (run.isInSoftMask) return null;
    const found = known.get(shading.dict) ?? limitOf(file, limiter, shading, run);
    known.set(shading.dict, found);
    return found;
  };
  let isChanged = false;
  const see = (event: TextEvent | PathEvent | ShadingEvent, shading: Shading): void => {
    const { run } = event.place;
    const map = mapOf(shading, run);
    if (map === 'unreadable') context.warn('shadingLeft', { page: run.page });
    if (map === null || map === 'unreadable') return;
    isChanged = true;
    context.log({
      what: 'shading',
      page: run.page,
      object: `${run.object} 0 R ${objectPath(event.place)}`,
      box: boxOf(event),
      before: null,
      after: `${settings.maxInk} %`,
      parameter: 'maxInk',
    });
  };
  const painted = (event: TextEvent | PathEvent): void => {
    const { state, paints } = event;
    const used = [...(paints === 'stroke' ? [] : [state.fill]), ...(paints === 'fill' ? [] : [state.stroke])];
    if (paints === 'none') return;
    for (const { pattern } of used) if (pattern?.type === 'shading') see(event, pattern.shading);
  };
  for (const page of pages) {
    context.signal.throwIfAborted();
    interpretPage(file, page, [{ text: painted, path: painted, shading: (event) => see(event, event.shading) }], {
      annotations: context.touches('annotation'),
      everyUse: true,
    });
  }
  if (!isChanged) return;
  const mapShading = (shading: Shading, run: Run): SpaceMap | null => {
    const map = mapOf(shading, run);
    return map === 'unreadable' ? null : map;
  };
  rewriteColour(recolouring(context, { ...onlyShadings, mapShading }), { copies: new Map(), inline: new Map() });
  edit.markChanged();
  pruneResources(edit, ['Pattern', 'Shading']);
}

/** How a shading is changed: null for one within the limit or without process inks. */
function limitOf(file: PdfFile, limiter: InkLimiter, shading: Shading, run: Run): SpaceMap | 'unreadable' | null {
  const inks = limiterOf(limiter, shading.space);
  if (!inks) return null;
  const colours: (readonly number[])[] = [];
  const map = {
    value: spaceValue(file, shading, run),
    device: null,
    components: shading.space.components,
    isSameValues: false,
  };
  const note = (values: readonly number[]): number[] => {
    colours.push([...values]);
    return [...values];
  };
  // All colours of the shading, and nothing is written.
  const looks = { file, add: () => 1, addStream: () => 1 };
  if (convertShading(looks, shading, { ...map, convert: note }) === null) return 'unreadable';
  if (!colours.some(inks.isOver)) return null;
  const limited = limitAlong(inks, colours);
  return { ...map, convert: (values) => limited.get(values.join(' ')) ?? inks.limit(values) };
}

/** Samples between two that are limited by themselves, at most. */
const longest = 64;
/** Difference of an ink that no plate of 8 bits shows. */
const unseen = 1 / 255;

/**
 * Limits the colours of a gradient, in their order. To find a colour takes milliseconds: where colours go on evenly, and what
 * the limit makes of them does as well, those between two are put between what was made of the two, which keeps the total
 * within the limit.
 */
function limitAlong(inks: SpaceLimiter, colours: readonly (readonly number[])[]): Map<string, number[]> {
  const made = new Map<string, number[]>();
  const original = (index: number): readonly number[] => colours[index] ?? [];
  const limited = (index: number): number[] => {
    const values = original(index);
    const key = values.join(' ');
    const found = made.get(key) ?? (inks.isOver(values) ? inks.limit(values) : [...values]);
    made.set(key, found);
    return found;
  };
  const between = (from: number, to: number): void => {
    if (to - from < 2) return;
    const share = (index: number) => (index - from) / (to - from);
    const inner = Array.from({ length: to - from - 1 }, (_, index) => from + 1 + index);
    const isEven = (index: number) =>
      isNear(original(index), mixed(original(from), original(to), share(index))) && inks.isOver(original(index));
    const middle = Math.floor((from + to) / 2);
    const [start, end] = [limited(from), limited(to)];
    const isShort = to - from <= longest && [from, to].every((index) => inks.isOver(original(index)));
    if (isShort && inner.every(isEven) && isNear(limited(middle), mixed(start, end, share(middle)))) {
      for (const index of inner) made.set(original(index).join(' '), mixed(start, end, share(index)));
      return;
    }
    between(from, middle);
    between(middle, to);
  };
  between(0, colours.length - 1);
  limited(0);
  return made;
}

const mixed = (from: readonly number[], to: readonly number[], share: number): number[] =>
  from.map((value, at) => value + ((to[at] ?? 0) - value) * share);
const isNear = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= unseen);

/** The colour space as the shading has it; a name of the resources as what it stands for, for the copy may lie elsewhere. */
function spaceValue(file: PdfFile, { dict }: Shading, run: Run): PdfValue {
  const written = dict.map.get('ColorSpace') ?? dict.map.get('CS') ?? null;
  const spaces = isName(written) && run.resources ? file.entry(run.resources, 'ColorSpace') : null;
  return (isName(written) && isDict(spaces) && spaces.map.get(written.name)) || written;
}
