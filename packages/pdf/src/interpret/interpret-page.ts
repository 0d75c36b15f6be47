import { FileFaultError } from '@pdf2press/contract/faults';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import { execute } from './execute.ts';
import { interpreterOf, readGroup } from './interpreter.ts';
import { noLayers } from './layers.ts';
import { identity, multiply, transformRect } from './matrix.ts';
import { readRect } from './painting.ts';
import { readMatrix } from './set-color.ts';
import { initialState } from './state.ts';
import type { Annotation, Matrix, Place, Reader, Rect, Run } from './types.ts';
import { createWalk, enterRun, type Listeners, type Walk, type WalkOptions } from './walk.ts';

/**
 * Executes one page once for any number of readers: its contents with forms, patterns, Type 3 glyphs and soft masks,
 * and the appearances of its annotations.
 * @param number page number from 1
 * @throws FileFaultError PDF_LIMIT_EXPANSION, PDF_LIMIT_NESTING, PDF_MEMORY
 */
export function interpretPage(
  file: PdfFile,
  number: number,
  readers: readonly Reader[],
  options: WalkOptions = {},
): void {
  const page = file.pages[number - 1];
  if (!page) throw new FileFaultError('INTERNAL', { page: number });
  const tools = interpreterOf(file);
  const run = pageRun(file, page, tools);
  const walk = createWalk(tools, listenersOf(readers), options, execute, {
    run,
    clip: page.effective.media,
    trim: page.effective.trim,
    userUnit: page.userUnit,
  });
  for (const reader of readers) reader.pageBegin?.(run);
  execute(walk);
  if (walk.options.annotations) runAppearances(walk, page);
  for (const reader of readers) reader.pageEnd?.(run);
}

function listenersOf(readers: readonly Reader[]): Listeners {
  const of = <K extends Exclude<keyof Listeners, 'operator'>>(key: K): Listeners[K] =>
    // A bound method per reader and event kind. The cast is safe because both interfaces have the same signatures.
    readers.flatMap((reader) => (reader[key] ? [reader[key].bind(reader)] : [])) as unknown as Listeners[K];
  return {
    operator: readers.flatMap((reader) =>
      reader.operator ? [{ tell: reader.operator.bind(reader), only: reader.operators ?? null }] : [],
    ),
    text: of('text'),
    path: of('path'),
    paint: of('paint'),
    resource: of('resource'),
    image: of('image'),
    shading: of('shading'),
    runBegin: of('runBegin'),
    runEnd: of('runEnd'),
    mark: of('mark'),
    syntax: of('syntax'),
  };
}

function pageRun(file: PdfFile, page: PageFacts, tools: Walk['tools']): Run {
  const { bytes, segments } = joinContents(file, page.dict);
  return {
    kind: 'page',
    page: page.number,
    object: page.object,
    dict: page.dict,
    parent: null,
    via: null,
    name: '',
    ctm: identity,
    resources: page.resources,
    group: readGroup({ file, tools }, page.dict),
    annotation: null,
    depth: 0,
    isInSoftMask: false,
    isInPattern: false,
    tiled: null,
    bytes,
    segments,
  };
}

/**
 * The content streams of a page as one, separated by line feeds because a token cannot continue in the next stream (ISO
 * 32000-1, 7.8.2).
 */
export function joinContents(file: PdfFile, page: PdfDict): Pick<Run, 'bytes' | 'segments'> {
  const value = page.map.get('Contents');
  const contents = file.resolve(value);
  const entries: readonly (PdfValue | undefined)[] = isArray(contents) ? contents : [value];
  const parts: { object: number; bytes: Uint8Array }[] = [];
  for (const entry of entries) {
    const dict = file.resolve(entry);
    if (isDict(dict) && dict.stream) parts.push({ object: dict.stream, bytes: file.stream(dict.stream) });
  }
  const [only] = parts;
  if (parts.length === 1 && only) {
    return { bytes: only.bytes, segments: [{ object: only.object, start: 0, end: only.bytes.length }] };
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length + 1, 0));
  const segments: Run['segments'][number][] = [];
  let at = 0;
  for (const part of parts) {
    bytes.set(part.bytes, at);
    segments.push({ object: part.object, start: at, end: at + part.bytes.length });
    at += part.bytes.length;
    bytes[at] = 10;
    at += 1;
  }
  return { bytes, segments };
}

/** Further annotations of a page are ignored. */
const maxAnnotations = 10_000;

function runAppearances(walk: Walk, page: PageFacts): void {
  page.annotations.slice(0, maxAnnotations).forEach((entry, index) => {
    const dict = walk.file.resolve(entry);
    if (!isDict(dict)) return;
    const subtype = walk.file.entry(dict, 'Subtype');
    const rect = readRect(walk, walk.file.entry(dict, 'Rect'));
    // A popup is shown by the viewer and never part of the page.
    if (!rect || isName(subtype, 'Popup')) return;
    const facts = annotationFacts(walk, dict, isRef(entry) ? entry.num : 0, index, rect);
    const shown = shownAppearance(walk.file, dict);
    const all = walk.options.unshown ? appearances(walk.file, dict) : [];
    const others = all.filter(({ way }) => way.join() !== shown?.way.join());
    for (const one of shown ? [shown, ...others] : others)
      runAppearance(walk, page, { ...facts, way: one.way }, one.form, one === shown);
  });
}

function runAppearance(walk: Walk, page: PageFacts, annotation: Annotation, form: PdfDict, isShown: boolean): void {
  const { dict, rect, index, way } = annotation;
  const box = readRect(walk, walk.file.entry(form, 'BBox')) ?? [0, 0, 1, 1];
  const matrix = readMatrix(walk, walk.file.entry(form, 'Matrix'));
  const resources = walk.file.entry(form, 'Resources');
  // The graphics state after the page contents is arbitrary; appearances start with the initial state.
  walk.state = initialState(page.effective.media);
  walk.isShared = true;
  const outer = noLayers;
  walk.layers = dict.map.has('OC') ? walk.tools.optionalContent.enter(dict.map.get('OC'), outer) : outer;
  if (form.map.has('OC')) walk.layers = walk.tools.optionalContent.enter(form.map.get('OC'), walk.layers);
  walk.marks = null;
  enterRun(walk, {
    kind: 'appearance',
    object: form.stream,
    dict: form,
    name: isShown ? `annot${index}` : `annot${index}${way.join('')}`,
    via: null,
    ctm: multiply(matrix, placement(transformRect(matrix, box), rect)),
    resources: isDict(resources) ? resources : page.resources,
    clip: box,
    annotation,
  });
  walk.layers = outer;
}

/** An appearance stream of an annotation and its keys under /AP: `N`, or `N Yes` if there are several states. */
interface Appearance {
  form: PdfDict;
  way: readonly string[];
}

/** The normal appearance; if it has several states, the one that /AS selects (ISO 32000-1, 12.5.5). */
function shownAppearance(file: PdfFile, annotation: PdfDict): Appearance | null {
  const looks = file.entry(annotation, 'AP');
  const normal = isDict(looks) ? file.entry(looks, 'N') : null;
  if (!isDict(normal)) return null;
  if (normal.stream) return { form: normal, way: ['N'] };
  const state = file.entry(annotation, 'AS');
  const chosen = isName(state) ? file.entry(normal, state.name) : null;
  return isName(state) && isDict(chosen) && chosen.stream ? { form: chosen, way: ['N', state.name] } : null;
}

/** All appearances of an annotation: normal, rollover and down, in every state. */
function appearances(file: PdfFile, annotation: PdfDict): Appearance[] {
  const looks = file.entry(annotation, 'AP');
  if (!isDict(looks)) return [];
  return ['N', 'R', 'D'].flatMap((key) => {
    const form = file.entry(looks, key);
    if (!isDict(form)) return [];
    if (form.stream) return [{ form, way: [key] }];
    return [...form.map.keys()].flatMap((state) => {
      const one = file.entry(form, state);
      return isDict(one) && one.stream ? [{ form: one, way: [key, state] }] : [];
    });
  });
}

/** The form XObject that an annotation shows at present; null when it has none. */
export const appearanceOf = (file: PdfFile, annotation: PdfDict): PdfDict | null =>
  shownAppearance(file, annotation)?.form ?? null;

const flag = (bit: number): number => 1 << (bit - 1);
const hidden = flag(2);
const print = flag(3);
const noView = flag(6);

function annotationFacts(
  walk: Walk,
  dict: PdfDict,
  object: number,
  index: number,
  rect: Rect,
): Omit<Annotation, 'way'> {
  const flags = walk.file.entry(dict, 'F');
  const bits = typeof flags === 'number' ? flags : 0;
  const subtype = walk.file.entry(dict, 'Subtype');
  return {
    object,
    index,
    subtype: isName(subtype) ? subtype.name : '',
    rect,
    flags: bits,
    isVisible: (bits & (hidden | noView)) === 0,
    isPrinted: (bits & hidden) === 0 && (bits & print) !== 0,
    dict,
  };
}

/** Maps the transformed box of an appearance to the annotation rectangle (ISO 32000-1, 12.5.5, algorithm 8.1). */
function placement(from: Rect, to: Rect): Matrix {
  const width = from[2] - from[0];
  const height = from[3] - from[1];
  const x = width > 0 ? (to[2] - to[0]) / width : 1;
  const y = height > 0 ? (to[3] - to[1]) / height : 1;
  return [x, 0, 0, y, to[0] - from[0] * x, to[1] - from[1] * y];
}

/** How a content stream is reached: 'page', 'page/Fm12', 'page/Fm12/glyph65', 'annot3'. */
export function runPath(run: Run): string {
  if (!run.parent) return 'page';
  if (run.kind === 'appearance') return run.name;
  return `${runPath(run.parent)}/${run.name}`;
}

/** Path of an operator: 'page/Fm12/op345'. */
export function objectPath(place: Place): string {
  return `${runPath(place.run)}/op${place.index}`;
}
