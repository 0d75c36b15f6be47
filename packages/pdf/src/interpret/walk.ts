/** What one walk over a page carries, and how content streams nest in it. */
import { FileFaultError } from '@pdf2press/contract/faults';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import { type ColorSpaces, createColorSpaces } from './color-spaces.ts';
import { createFonts, type Fonts, type LoadedFont } from './fonts.ts';
import { createImages, type Images } from './images.ts';
import { noLayers, type OptionalContent, readOptionalContent } from './layers.ts';
import { intersect, isEmptyRect, keepsAxes, transformRect } from './matrix.ts';
import { createPath, isAxisRectangle, type PathBuilder, pathBounds, resetPath } from './path-builder.ts';
import { initialState, type Mutable } from './state.ts';
import type {
  Clip,
  EventBase,
  Font,
  GraphicsState,
  Group,
  Layers,
  MarkedContent,
  Matrix,
  Paint,
  Pattern,
  Place,
  Reader,
  Rect,
  Run,
  SyntaxCode,
} from './types.ts';

/** Reading aids of one file, shared by all its pages. */
export interface Interpreter {
  readonly file: PdfFile;
  /** The file's when this was read: after a change all is read anew. */
  readonly generation: number;
  readonly spaces: ColorSpaces;
  readonly fonts: Fonts;
  readonly images: Images;
  readonly optionalContent: OptionalContent;
  /** Decoded bytes of a content stream. */
  readonly content: (num: number) => Uint8Array;
  readonly patterns: Map<string, Pattern | null>;
  /** What a form says of itself, read at its first use: a page of outlined text draws thousands of them. */
  readonly forms: WeakMap<PdfDict, FormFacts>;
}

export interface FormFacts {
  readonly matrix: Matrix;
  readonly bbox: Rect | null;
  /** Null: it borrows those of the page, as forms did before PDF 1.2. */
  readonly resources: PdfDict | null;
  readonly group: Group | null;
}

/** Decoded forms kept for the next use. */
const maxKeptBytes = 8 * 2 ** 20;
const interpreters = new WeakMap<PdfFile, Interpreter>();

export function interpreterOf(file: PdfFile): Interpreter {
  const known = interpreters.get(file);
  if (known?.generation === file.generation) return known;
  const spaces = createColorSpaces(file);
  const kept = new Map<number, Uint8Array>();
  let keptBytes = 0;
  const made: Interpreter = {
    file,
    generation: file.generation,
    spaces,
    fonts: createFonts(file),
    images: createImages(file, spaces),
    optionalContent: readOptionalContent(file),
    patterns: new Map(),
    forms: new WeakMap(),
    content(num) {
      const bytes = kept.get(num) ?? file.stream(num);
      if (kept.has(num)) return bytes;
      if (keptBytes > maxKeptBytes) {
        kept.clear();
        keptBytes = 0;
      }
      kept.set(num, bytes);
      keptBytes += bytes.length;
      return bytes;
    },
  };
  interpreters.set(file, made);
  return made;
}

export interface WalkOptions {
  /** Appearance streams of annotations. Default true. */
  annotations?: boolean;
  /** Glyph procedures of Type 3 fonts. Default true. */
  type3?: boolean;
  /** Cells of tiling patterns. Default true. */
  patterns?: boolean;
  /** Groups of soft masks. Default true. */
  softMasks?: boolean;
  /** Walk patterns and masks at every use instead of once for equal uses. For rewriting. */
  everyUse?: boolean;
  /** What does not show at present, too: other states of appearances, pressed, rolled over; other glyphs of Type 3 fonts. */
  unshown?: boolean;
  /**
   * Streams walked so far, with what resources; these are passed over, and the new ones noted. For readers that ask what
   * content says, not where or in what state it says it: kept over all pages, each stream is read once.
   */
  walked?: Walked;
}

/** Object numbers of streams, by the resources they were walked with. */
export type Walked = WeakMap<PdfDict, Set<number>>;

/** Readers by what they want to hear; an empty list is work saved. */
export interface Listeners {
  readonly operator: { readonly tell: NonNullable<Reader['operator']>; readonly only: ReadonlySet<string> | null }[];
  readonly text: NonNullable<Reader['text']>[];
  readonly path: NonNullable<Reader['path']>[];
  readonly paint: NonNullable<Reader['paint']>[];
  readonly resource: NonNullable<Reader['resource']>[];
  readonly image: NonNullable<Reader['image']>[];
  readonly shading: NonNullable<Reader['shading']>[];
  readonly runBegin: NonNullable<Reader['runBegin']>[];
  readonly runEnd: NonNullable<Reader['runEnd']>[];
  readonly mark: NonNullable<Reader['mark']>[];
  readonly syntax: NonNullable<Reader['syntax']>[];
}

export interface Walk {
  readonly tools: Interpreter;
  readonly file: PdfFile;
  readonly options: Required<Omit<WalkOptions, 'walked'>> & Pick<WalkOptions, 'walked'>;
  readonly listeners: Listeners;
  readonly userUnit: number;
  /** Executes the content of the current run; given, so that nesting makes no circle of files. */
  readonly execute: (walk: Walk) => void;
  /** The current state: never write to it but through `own`. */
  state: GraphicsState;
  /** Somebody else holds the current state: copy before writing. */
  isShared: boolean;
  readonly saved: GraphicsState[];
  /** Engines save the state a page begins with: the first restore too many brings it back, once, and only on the page itself. */
  initial: GraphicsState | null;
  layers: Layers;
  marks: MarkedContent | null;
  readonly markStack: { marks: MarkedContent | null; layers: Layers }[];
  run: Run;
  path: PathBuilder;
  /** One path builder per depth of nesting, used again by every run there. */
  readonly paths: PathBuilder[];
  pendingClip: 'none' | 'nonzero' | 'evenodd';
  /** Colour operators do nothing: in an uncoloured pattern or glyph. */
  isColorLocked: boolean;
  isInText: boolean;
  textMatrix: Matrix;
  lineMatrix: Matrix;
  /** What text in a clipping mode has covered since BT. */
  textClip: Rect | null;
  font: LoadedFont | null;
  /** How to walk text in the fonts that states name. */
  readonly loaded: Map<Font, LoadedFont>;
  /** Type 3 glyphs already run, by the state they were shown in. */
  readonly glyphsDone: WeakMap<GraphicsState, Set<number>>;
  /** Heights of the stacks when the current run began: it must not take more than it put. */
  savedBase: number;
  markBase: number;
  /** Inside BX … EX unknown operators are nobody's mistake. */
  compatibility: number;
  // Operands of the operator being read.
  readonly values: PdfValue[];
  operandCount: number;
  // The operator itself.
  op: string;
  opIndex: number;
  opStart: number;
  opEnd: number;
  operatorsLeft: number;
  readonly done: Set<string>;
}

export function createWalk(
  tools: Interpreter,
  listeners: Listeners,
  options: WalkOptions,
  execute: (walk: Walk) => void,
  page: { run: Run; clip: Rect; userUnit: number },
): Walk {
  const initial = initialState(page.clip);
  return {
    tools,
    file: tools.file,
    options: {
      annotations: true,
      type3: true,
      patterns: true,
      softMasks: true,
      everyUse: false,
      unshown: false,
      ...options,
    },
    listeners,
    execute,
    userUnit: page.userUnit,
    state: initial,
    isShared: true,
    saved: [],
    initial,
    layers: noLayers,
    marks: null,
    markStack: [],
    run: page.run,
    path: createPath(),
    paths: [],
    pendingClip: 'none',
    isColorLocked: false,
    isInText: false,
    textMatrix: page.run.ctm,
    lineMatrix: page.run.ctm,
    textClip: null,
    font: null,
    loaded: new Map(),
    glyphsDone: new WeakMap(),
    savedBase: 0,
    markBase: 0,
    compatibility: 0,
    values: [],
    operandCount: 0,
    op: '',
    opIndex: 0,
    opStart: 0,
    opEnd: 0,
    operatorsLeft: tools.file.budgets.operatorsPerPage,
    done: new Set(),
  };
}

/** The current state, safe to write to: a copy if anybody else has it. */
export function own(walk: Walk): Mutable<GraphicsState> {
  if (walk.isShared) {
    walk.state = { ...walk.state };
    walk.isShared = false;
  }
  return walk.state;
}

export function placeOf(walk: Walk): Place {
  return { run: walk.run, op: walk.op, index: walk.opIndex, start: walk.opStart, end: walk.opEnd };
}

export function eventBase(walk: Walk): EventBase {
  walk.isShared = true;
  return { place: placeOf(walk), state: walk.state, layers: walk.layers, marks: walk.marks };
}

export function report(walk: Walk, code: SyntaxCode, params: Readonly<Record<string, string | number>> = {}): void {
  if (walk.listeners.syntax.length === 0) return;
  const event = { code, place: placeOf(walk), params };
  for (const listen of walk.listeners.syntax) listen(event);
}

/** Narrows the clip to the current path. */
export function clipToPath(walk: Walk): void {
  const { path, state } = walk;
  clipTo(walk, pathBounds(path), isAxisRectangle(path, state.ctm));
}

export function clipTo(walk: Walk, bounds: Rect, isRect: boolean): void {
  const { clip } = walk.state;
  const bbox = intersect(clip.bbox, bounds);
  const isEmpty = clip.isEmpty || isEmptyRect(bbox) || bbox[2] === bbox[0] || bbox[3] === bbox[1];
  const next: Clip = { bbox, isEmpty, isRect: clip.isRect && isRect };
  own(walk).clip = next;
}

/** Deepest nesting of content streams; deeper is a machine's joke. */
const maxDepth = 40;

export interface RunRequest {
  readonly kind: Run['kind'];
  readonly object: number;
  readonly dict: PdfDict;
  readonly bytes?: Uint8Array;
  readonly name: string;
  readonly via: Place | null;
  readonly ctm: Matrix;
  readonly resources: PdfDict | null;
  readonly clip: Rect | null;
  /** Known already; read from `dict` where left out. */
  readonly group?: Group | null;
  readonly annotation?: Run['annotation'];
  /** Starts from the initial state instead of the current one: patterns, masks. */
  readonly isFresh?: boolean;
  /** Colour an uncoloured pattern or glyph is painted with. */
  readonly paint?: Paint | null;
}

/** Notes the stream; whether it had been noted before. */
function isWalked(walked: Walked, { object, resources }: RunRequest): boolean {
  if (object === 0 || !resources) return false;
  const streams = walked.get(resources) ?? new Set<number>();
  walked.set(resources, streams);
  if (streams.has(object)) return true;
  streams.add(object);
  return false;
}

/** Executes a content stream in place, and puts everything back as it was. */
export function enterRun(walk: Walk, request: RunRequest): void {
  for (let above: Run | null = walk.run; above; above = above.parent) {
    if (above.object === request.object && above.object !== 0 && above.kind !== 'page') {
      report(walk, 'content.recursive', { object: request.object });
      return;
    }
  }
  if (walk.run.depth >= maxDepth) {
    report(walk, 'content.tooDeep', { limit: maxDepth });
    return;
  }
  if (walk.options.walked && isWalked(walk.options.walked, request)) return;
  const group = request.group === undefined ? readGroup(walk, request.dict) : request.group;
  const bytes = request.bytes ?? walk.tools.content(request.object);
  const run: Run = {
    kind: request.kind,
    page: walk.run.page,
    object: request.object,
    dict: request.dict,
    parent: walk.run,
    via: request.via,
    name: request.name,
    ctm: request.ctm,
    resources: request.resources,
    group,
    annotation: request.annotation ?? walk.run.annotation,
    depth: walk.run.depth + 1,
    isInSoftMask: walk.run.isInSoftMask || request.kind === 'softmask',
    isInPattern: walk.run.isInPattern || request.kind === 'pattern',
    bytes,
    segments: [{ object: request.object, start: 0, end: bytes.length }],
  };
  const before = saved(walk);
  walk.isShared = true;
  if (request.isFresh) walk.state = initialState(walk.state.clip.bbox);
  const state = own(walk);
  state.ctm = request.ctm;
  if (request.paint) {
    state.fill = request.paint;
    state.stroke = request.paint;
  }
  if (request.kind === 'form' && group) {
    // Inside a group these begin anew; the group as a whole is painted with the outer ones (11.6.6).
    state.blendMode = 'Normal';
    state.fillAlpha = 1;
    state.strokeAlpha = 1;
    state.softMask = null;
  }
  if (request.clip) clipTo(walk, transformRect(request.ctm, request.clip), keepsAxes(request.ctm));
  walk.run = run;
  walk.path = pathAt(walk, run.depth);
  walk.pendingClip = 'none';
  walk.isColorLocked = walk.isColorLocked || request.paint !== undefined;
  walk.isInText = false;
  walk.textClip = null;
  walk.compatibility = 0;
  walk.savedBase = walk.saved.length;
  walk.markBase = walk.markStack.length;

  const outer = { run, state: before.state, layers: walk.layers, marks: walk.marks };
  for (const listen of walk.listeners.runBegin) listen(outer);
  walk.execute(walk);
  for (const listen of walk.listeners.runEnd) listen(outer);

  restore(walk, before);
}

function pathAt(walk: Walk, depth: number): PathBuilder {
  let path = walk.paths[depth];
  if (!path) {
    path = createPath();
    walk.paths[depth] = path;
  }
  resetPath(path);
  return path;
}

/** What a run changes of its walk. Named one by one: copying all of it for each of a thousand little forms is slow. */
const saved = (walk: Walk) => ({
  state: walk.state,
  layers: walk.layers,
  marks: walk.marks,
  run: walk.run,
  path: walk.path,
  pendingClip: walk.pendingClip,
  isColorLocked: walk.isColorLocked,
  isInText: walk.isInText,
  textMatrix: walk.textMatrix,
  lineMatrix: walk.lineMatrix,
  textClip: walk.textClip,
  font: walk.font,
  savedBase: walk.savedBase,
  markBase: walk.markBase,
  compatibility: walk.compatibility,
  op: walk.op,
  opIndex: walk.opIndex,
  opStart: walk.opStart,
  opEnd: walk.opEnd,
});

function restore(walk: Walk, before: ReturnType<typeof saved>): void {
  walk.state = before.state;
  walk.layers = before.layers;
  walk.marks = before.marks;
  walk.run = before.run;
  walk.path = before.path;
  walk.pendingClip = before.pendingClip;
  walk.isColorLocked = before.isColorLocked;
  walk.isInText = before.isInText;
  walk.textMatrix = before.textMatrix;
  walk.lineMatrix = before.lineMatrix;
  walk.textClip = before.textClip;
  walk.font = before.font;
  walk.savedBase = before.savedBase;
  walk.markBase = before.markBase;
  walk.compatibility = before.compatibility;
  walk.op = before.op;
  walk.opIndex = before.opIndex;
  walk.opStart = before.opStart;
  walk.opEnd = before.opEnd;
  walk.isShared = true;
  walk.operandCount = 0;
}

export function readGroup(walk: { file: PdfFile; tools: Interpreter }, dict: PdfDict): Group | null {
  const { file } = walk;
  const group = file.entry(dict, 'Group');
  if (!isDict(group) || !isName(file.entry(group, 'S'), 'Transparency')) return null;
  const space = group.map.get('CS');
  return {
    isIsolated: file.entry(group, 'I') === true,
    isKnockout: file.entry(group, 'K') === true,
    space: space === undefined ? null : walk.tools.spaces.read(space, null),
  };
}

/** Counts an operator; a page whose nested forms multiply without end is stopped here. */
export function spendOperator(walk: Walk): void {
  walk.operatorsLeft -= 1;
  if (walk.operatorsLeft < 0) {
    throw new FileFaultError('PDF_LIMIT_EXPANSION', {
      operators: walk.file.budgets.operatorsPerPage,
      page: walk.run.page,
    });
  }
}
