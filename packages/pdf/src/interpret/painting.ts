/** Painting operators and the content streams that they execute. */
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import type { LoadedFont } from './fonts.ts';
import { type FormFacts, readGroup } from './interpreter.ts';
import {
  emptyRect,
  identity,
  intersect,
  invert,
  isEmptyRect,
  multiply,
  quadBounds,
  transformQuad,
  transformRect,
} from './matrix.ts';
import {
  freezePath,
  isAxisRectangle,
  isEmptyPath,
  pathBounds,
  pathSegments,
  resetPath,
  thinness,
} from './path-builder.ts';
import { readMatrix } from './set-color.ts';
import { lineWidthUnder } from './state.ts';
import { grownByLine, strokedBounds } from './stroke-bounds.ts';
import { textPaints } from './text.ts';
import { addParts, moved, partsShown, repeatsInPattern, repeatsOf, stepsOf } from './tiling.ts';
import type { ImageEvent, ImageFacts, Matrix, Paint, PathEvent, PathSegment, Rect, SoftMask } from './types.ts';
import { clipToPath, enterRun, eventBase, placeOf, report, type Walk } from './walk.ts';

const unitSquare: Rect = [0, 0, 1, 1];

/** Path painting operators: sends events, executes patterns, applies a pending clip (ISO 32000-1, 8.5.3 and 8.5.4). */
export function paintPath(walk: Walk, paints: 'fill' | 'stroke' | 'both' | 'none', isEvenOdd: boolean): void {
  if (paints !== 'none' && !isEmptyPath(walk.path)) {
    if (walk.listeners.path.length > 0) {
      const event = pathEvent(walk, paints, isEvenOdd);
      for (const listen of walk.listeners.path) listen(event);
    }
    if (walk.listeners.paint.length > 0) {
      const event = { ...eventBase(walk), paints };
      for (const listen of walk.listeners.paint) listen(event);
    }
    const { path, state } = walk;
    if (paints !== 'stroke') runTiling(walk, state.fill, (under) => pathBounds(path, under), state.fillAlpha);
    if (paints !== 'fill')
      runTiling(walk, state.stroke, (under) => strokedBounds(path, state, under), state.strokeAlpha);
  }
  if (walk.pendingClip !== 'none') {
    if (!isEmptyPath(walk.path)) clipToPath(walk);
    walk.pendingClip = 'none';
  }
  resetPath(walk.path);
}

function pathEvent(walk: Walk, paints: 'fill' | 'stroke' | 'both', isEvenOdd: boolean): PathEvent {
  const base = eventBase(walk);
  const { ctm, clip, lineWidth } = base.state;
  const bbox = pathBounds(walk.path);
  const painted = paints === 'fill' ? bbox : strokedBounds(walk.path, base.state);
  const frozen = freezePath(walk.path);
  let segments: readonly PathSegment[] | null = null;
  return {
    kind: 'path',
    ...base,
    paints,
    isEvenOdd,
    bbox,
    painted: clip.isEmpty ? emptyRect : intersect(painted, clip.bbox),
    lineWidth: paints === 'fill' ? 0 : lineWidthUnder(ctm, lineWidth),
    thinFill: paints === 'stroke' ? null : thinness(walk.path, bbox),
    isRect: isAxisRectangle(walk.path, ctm),
    segmentCount: walk.path.commandCount,
    segments() {
      segments ??= pathSegments(frozen);
      return segments;
    },
  };
}

/**
 * Executes the cell of a tiling pattern, for equal paint on equally visible areas of a page only where other parts of the cell
 * show.
 * @param areaUnder the bounds, after a transformation of the page, of what is painted with it, before clipping
 */
function runTiling(walk: Walk, paint: Paint, areaUnder: (matrix: Matrix) => Rect, alpha: number): void {
  const { pattern } = paint;
  if (pattern?.type !== 'tiling' || !walk.options.patterns || !pattern.dict.stream) return;
  const { clip } = walk.state;
  const tiled = clip.isEmpty || alpha === 0 ? emptyRect : intersect(areaUnder(identity), clip.bbox);
  const step = (key: string): number => Number(walk.file.entry(pattern.dict, key)) || 0;
  const bbox = readRect(walk, walk.file.entry(pattern.dict, 'BBox')) ?? emptyRect;
  const cell = transformRect(pattern.matrix, bbox);
  const steps = walk.run.tiled ? null : stepsOf(pattern.matrix, step('XStep'), step('YStep'));
  const repeats = repeatsInPattern(repeatsOf(tiled, steps, cell), pattern.matrix, bbox, areaUnder);
  const isShown = repeats?.length !== 0;
  const underlying = paint.space.family === 'Pattern' ? paint.space.underlying : null;
  const isNew = showsMore(
    walk,
    [
      ...[pattern.object, underlying?.family, underlying?.object, ...paint.values, ...pattern.matrix],
      // What is off the page, between cells, beside the trim or on a hidden layer says nothing of the pattern's other uses.
      ...[isShown, isEmptyRect(intersect(tiled, walk.trim)), walk.layers.isVisible, walk.layers.isPrinted],
      walk.run.isInSoftMask,
    ].join(' '),
    () => {
      const toPattern = isShown ? invert(pattern.matrix) : null;
      // What does not show at all is told once.
      if (!toPattern) return null;
      return partsShown(
        intersect(areaUnder(toPattern), transformRect(toPattern, tiled)),
        bbox,
        pattern.matrix,
        repeats,
      );
    },
  );
  if (!isNew) return;
  const only = repeats?.length === 1 ? repeats[0] : undefined;
  const [x, y] = only ?? [0, 0];
  const resources = walk.file.entry(pattern.dict, 'Resources');
  enterRun(walk, {
    kind: 'pattern',
    object: pattern.object,
    dict: pattern.dict,
    name: pattern.name,
    via: placeOf(walk),
    ctm: multiply(pattern.matrix, [1, 0, 0, 1, x, y]),
    resources: isDict(resources) ? resources : walk.run.resources,
    clip: null,
    isFresh: true,
    freshClip: only ? intersect(tiled, moved(cell, only)) : isShown ? cell : emptyRect,
    tiled: only ? null : { area: walk.run.tiled?.area ?? tiled, repeats },
    ...(pattern.isColored
      ? {}
      : { paint: underlying ? { space: underlying, values: paint.values, pattern: null } : null }),
  });
}

/**
 * Executes the pattern cells that the text just shown is painted with. Type 3 glyphs do this in their own content.
 * @param areaUnder the bounds of the text after a transformation of default user space
 */
export function tileText(walk: Walk, areaUnder: (matrix: Matrix) => Rect): void {
  const { font, state } = walk;
  if (!font || font.facts.type === 'Type3' || (!state.fill.pattern && !state.stroke.pattern)) return;
  const paints = textPaints(state.text.mode);
  if (paints === 'fill' || paints === 'both') runTiling(walk, state.fill, areaUnder, state.fillAlpha);
  if (paints === 'stroke' || paints === 'both') {
    const strokedUnder = (under: Matrix) => grownByLine(areaUnder(under), state, under);
    runTiling(walk, state.stroke, strokedUnder, state.strokeAlpha);
  }
}

/** True at the first use on this page, and at later ones that show other parts of the cell; always true with `everyUse`. */
function showsMore(walk: Walk, key: string, parts: () => Rect[] | null): boolean {
  if (walk.options.everyUse) return true;
  const seen = walk.cellsShown.get(key) ?? { parts: [], isWhole: false };
  walk.cellsShown.set(key, seen);
  return !seen.isWhole && addParts(seen, parts());
}

/** True at the first use on this page; always true with `everyUse`. */
function isFirst(walk: Walk, key: string): boolean {
  if (walk.options.everyUse) return true;
  if (walk.done.has(key)) return false;
  walk.done.add(key);
  return true;
}

/** Executes the glyph procedure of a Type 3 glyph, once for each graphics state it is shown in. */
export function showType3Glyph(walk: Walk, font: LoadedFont, code: number, matrix: Matrix): void {
  if (!walk.options.type3) return;
  const procedure = font.glyphProcedure(code);
  if (!procedure) return;
  const seen = walk.glyphsDone.get(walk.state) ?? new Set<number>();
  if (seen.has(procedure.object)) return;
  seen.add(procedure.object);
  walk.glyphsDone.set(walk.state, seen);
  const run = ({ object, dict }: { object: number; dict: PdfDict }, name: string): void => {
    walk.isShared = true;
    enterRun(walk, {
      kind: 'type3',
      object,
      dict,
      name,
      via: placeOf(walk),
      ctm: multiply(font.facts.fontMatrix, matrix),
      resources: font.resources ?? walk.run.resources,
      clip: null,
    });
  };
  run(procedure, `glyph${code}`);
  const all = `glyphs ${font.facts.object}`;
  if (!walk.options.unshown || walk.done.has(all)) return;
  walk.done.add(all);
  for (const other of font.procedures()) if (!seen.has(other.object)) run(other, `glyph of ${other.object} 0 R`);
}

/** Executes the group of a soft mask, once per page for equal position. */
export function runSoftMask(walk: Walk, mask: SoftMask): void {
  const group = walk.file.entry(mask.dict, 'G');
  if (!walk.options.softMasks || !isDict(group) || !group.stream) return;
  if (!isFirst(walk, `mask ${mask.group} ${mask.ctm.join(' ')}`)) return;
  const resources = walk.file.entry(group, 'Resources');
  enterRun(walk, {
    kind: 'softmask',
    object: mask.group,
    dict: group,
    name: 'SMask',
    via: placeOf(walk),
    ctm: multiply(readMatrix(walk, walk.file.entry(group, 'Matrix')), mask.ctm),
    resources: isDict(resources) ? resources : walk.run.resources,
    clip: readRect(walk, walk.file.entry(group, 'BBox')),
    isFresh: true,
  });
}

/** A rectangle with ordered corners; null when the value does not start with four numbers. */
export function readRect(walk: Pick<Walk, 'file'>, value: PdfValue): Rect | null {
  if (!isArray(value) || value.length < 4) return null;
  const list = value.slice(0, 4).map((entry) => walk.file.resolve(entry));
  if (!list.every((entry) => typeof entry === 'number')) return null;
  const [a = 0, b = 0, c = 0, d = 0] = list as number[];
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** The operator sh (ISO 32000-1, 8.7.4.2). */
export function paintShading(walk: Walk, name: string): void {
  const list = walk.run.resources && walk.file.entry(walk.run.resources, 'Shading');
  const value = isDict(list) ? list.map.get(name) : undefined;
  const dict = walk.file.resolve(value);
  if (!isDict(dict)) {
    report(walk, 'resource.missing', { category: 'Shading', name });
    return;
  }
  if (walk.listeners.shading.length === 0) return;
  const base = eventBase(walk);
  const box = readRect(walk, walk.file.entry(dict, 'BBox'));
  const event = {
    kind: 'shading' as const,
    ...base,
    shading: {
      type: Number(walk.file.entry(dict, 'ShadingType')) || 0,
      object: isRef(value) ? value.num : 0,
      dict,
      space: walk.tools.spaces.read(dict.map.get('ColorSpace') ?? dict.map.get('CS'), walk.run.resources),
    },
    bbox: box ? intersect(base.state.clip.bbox, transformRect(base.state.ctm, box)) : base.state.clip.bbox,
  };
  for (const listen of walk.listeners.shading) listen(event);
}

/** The operator Do (ISO 32000-1, 8.8). */
export function drawXObject(walk: Walk, name: string): void {
  const list = walk.run.resources && walk.file.entry(walk.run.resources, 'XObject');
  const dict = isDict(list) ? walk.file.entry(list, name) : null;
  if (!isDict(dict) || !dict.stream) {
    report(walk, 'resource.missing', { category: 'XObject', name });
    return;
  }
  const outer = walk.layers;
  if (dict.map.has('OC')) walk.layers = walk.tools.optionalContent.enter(dict.map.get('OC'), outer);
  const subtype = walk.file.entry(dict, 'Subtype') ?? walk.file.entry(dict, 'S');
  if (isName(subtype, 'Image')) drawImage(walk, walk.tools.images.read(dict, walk.run.resources), name, null);
  else if (isName(subtype, 'Form') || dict.map.has('BBox')) drawForm(walk, dict, name);
  walk.layers = outer;
}

function drawForm(walk: Walk, dict: PdfDict, name: string): void {
  const form = formFacts(walk, dict);
  const resources = form.resources ?? walk.run.resources;
  // The form was already executed with these resources; its matrix does not matter for such readers.
  if (resources && walk.options.walked?.get(resources)?.has(dict.stream)) return;
  enterRun(walk, {
    kind: 'form',
    object: dict.stream,
    dict,
    name,
    via: placeOf(walk),
    ctm: multiply(form.matrix, walk.state.ctm),
    resources,
    clip: form.bbox,
    group: form.group,
  });
}

function formFacts(walk: Walk, dict: PdfDict): FormFacts {
  const known = walk.tools.forms.get(dict);
  if (known) return known;
  const resources = walk.file.entry(dict, 'Resources');
  const facts: FormFacts = {
    matrix: readMatrix(walk, walk.file.entry(dict, 'Matrix')),
    bbox: readRect(walk, walk.file.entry(dict, 'BBox')),
    resources: isDict(resources) ? resources : null,
    group: readGroup(walk, dict),
  };
  walk.tools.forms.set(dict, facts);
  return facts;
}

/** Sends the event for an image XObject or inline image. */
export function drawImage(walk: Walk, image: ImageFacts, name: string, inlineData: Uint8Array | null): void {
  if (image.isStencil) {
    const { ctm, fill, fillAlpha } = walk.state;
    runTiling(walk, fill, (under) => transformRect(multiply(ctm, under), unitSquare), fillAlpha);
  }
  if (walk.listeners.image.length === 0) return;
  const base = eventBase(walk);
  const { ctm } = base.state;
  const quad = transformQuad(ctm, unitSquare);
  const inches = (x: number, y: number): number => (Math.hypot(x, y) * walk.userUnit) / 72;
  const event: ImageEvent = {
    kind: 'image',
    ...base,
    image,
    isInline: inlineData !== null,
    name,
    bbox: quadBounds(quad),
    quad,
    ppi: { x: image.width / inches(ctm[0], ctm[1]), y: image.height / inches(ctm[2], ctm[3]) },
    inlineData,
  };
  for (const listen of walk.listeners.image) listen(event);
}
