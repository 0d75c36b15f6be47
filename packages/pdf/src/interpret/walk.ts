/** The state of one walk (execution of a page), and the execution of nested content streams. */
import { FileFaultError } from '@pdf2press/contract/faults';
import type { PdfFile } from '../open/pdf-file.ts';
import type { PdfDict, PdfValue } from '../open/values.ts';
import type { LoadedFont } from './fonts.ts';
import { type Interpreter, readGroup } from './interpreter.ts';
import { noLayers } from './layers.ts';
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
  Place,
  Reader,
  Rect,
  Run,
  SyntaxCode,
  Tiling,
} from './types.ts';

/** What a walk includes. */
export interface WalkOptions {
  /** Execute appearance streams of annotations. Default true. */
  annotations?: boolean;
  /** Execute glyph procedures of Type 3 fonts. Default true. */
  type3?: boolean;
  /** Execute cells of tiling patterns. Default true. */
  patterns?: boolean;
  /** Execute groups of soft masks. Default true. */
  softMasks?: boolean;
  /** Execute patterns and masks at every use instead of once for equal uses; needed for rewriting. Default false. */
  everyUse?: boolean;
  /**
   * Also execute what is not shown at present: other states of appearances, rollover and down appearances, and unused
   * Type 3 glyphs. Default false.
   */
  unshown?: boolean;
  /**
   * Streams that were already executed, with their resources; they are skipped and new ones are added. For readers that
   * only need what content contains, not where or in which state: kept over all pages, each stream is read once.
   */
  walked?: Walked;
}

/** Object numbers of streams, by the resources they were executed with. */
export type Walked = WeakMap<PdfDict, Set<number>>;

/** The methods of all readers by event kind. Work for a kind without listeners is skipped. */
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

/** The mutable state of a walk. One object with fixed fields, because it is accessed for every operator. */
export interface Walk {
  readonly tools: Interpreter;
  readonly file: PdfFile;
  readonly options: Required<Omit<WalkOptions, 'walked'>> & Pick<WalkOptions, 'walked'>;
  readonly listeners: Listeners;
  readonly userUnit: number;
  /** TrimBox of the page. */
  readonly trim: Rect;
  /** Executes the current run. Passed in to avoid a circular import. */
  readonly execute: (walk: Walk) => void;
  /** The current graphics state. Write only through `own`. */
  state: GraphicsState;
  /** True when somebody else holds the current state, so that it must be copied before writing. */
  isShared: boolean;
  readonly saved: GraphicsState[];
  /**
   * The initial state of the page. PDF readers restore it at the first Q without q, once and only on the page itself.
   */
  initial: GraphicsState | null;
  layers: Layers;
  marks: MarkedContent | null;
  readonly markStack: { marks: MarkedContent | null; layers: Layers }[];
  run: Run;
  path: PathBuilder;
  /** One path builder per nesting depth, reused by all runs at that depth. */
  readonly paths: PathBuilder[];
  pendingClip: 'none' | 'nonzero' | 'evenodd';
  /** True in an uncoloured pattern or glyph, where colour operators are ignored. */
  isColorLocked: boolean;
  isInText: boolean;
  textMatrix: Matrix;
  lineMatrix: Matrix;
  /** Area covered since BT by text in a clipping mode. */
  textClip: Rect | null;
  font: LoadedFont | null;
  /** Loaded fonts by the facts in graphics states. */
  readonly loaded: Map<Font, LoadedFont>;
  /** Type 3 glyphs already executed, by graphics state. */
  readonly glyphsDone: WeakMap<GraphicsState, Set<number>>;
  /** Stack heights at the start of the current run, which must not remove more than it added. */
  savedBase: number;
  markBase: number;
  /** Nesting depth of BX … EX; unknown operators inside are not reported. */
  compatibility: number;
  // Operands of the current operator.
  readonly values: PdfValue[];
  operandCount: number;
  // The current operator and its position.
  op: string;
  opIndex: number;
  opStart: number;
  opEnd: number;
  operatorsLeft: number;
  readonly done: Set<string>;
  /** The parts of the cells of tiling patterns that showed, by paint and visibility. */
  readonly cellsShown: Map<string, { parts: Rect[]; isWhole: boolean }>;
}

export function createWalk(
  tools: Interpreter,
  listeners: Listeners,
  options: WalkOptions,
  execute: (walk: Walk) => void,
  page: { run: Run; clip: Rect; trim: Rect; userUnit: number },
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
    trim: page.trim,
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
    cellsShown: new Map(),
  };
}

/** The current graphics state for writing: a copy if somebody else holds it. */
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

/** The data that all events have. The state is given out, so it is copied before the next change. */
export function eventBase(walk: Walk): EventBase {
  walk.isShared = true;
  return { place: placeOf(walk), state: walk.state, layers: walk.layers, marks: walk.marks };
}

/** Reports a syntax error at the current operator. */
export function report(walk: Walk, code: SyntaxCode, params: Readonly<Record<string, string | number>> = {}): void {
  if (walk.listeners.syntax.length === 0) return;
  const event = { code, place: placeOf(walk), params };
  for (const listen of walk.listeners.syntax) listen(event);
}

/** Intersects the clip with the current path. */
export function clipToPath(walk: Walk): void {
  const { path, state } = walk;
  clipTo(walk, pathBounds(path), isAxisRectangle(path, state.ctm));
}

/** Intersects the clip with a rectangle; `isRect` is false when the clipping path is not exactly this rectangle. */
export function clipTo(walk: Walk, bounds: Rect, isRect: boolean): void {
  const { clip } = walk.state;
  const bbox = intersect(clip.bbox, bounds);
  const isEmpty = clip.isEmpty || isEmptyRect(bbox) || bbox[2] === bbox[0] || bbox[3] === bbox[1];
  const next: Clip = { bbox, isEmpty, isRect: clip.isRect && isRect };
  own(walk).clip = next;
}

/** Limit for nested content streams. */
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
  /** The transparency group; read from `dict` when undefined. */
  readonly group?: Group | null;
  readonly annotation?: Run['annotation'];
  /** Start with the initial graphics state instead of the current one (patterns and soft masks). */
  readonly isFresh?: boolean;
  /** Colour of an uncoloured pattern. */
  readonly paint?: Paint | null;
  /** Initial clip of a fresh start, default user space. */
  readonly freshClip?: Rect;
  /** For the cell of a tiling pattern that shows more than once. */
  readonly tiled?: Tiling | null;
}

/** Records the stream as executed; returns true when it already was. */
function isWalked(walked: Walked, { object, resources }: RunRequest): boolean {
  if (object === 0 || !resources) return false;
  const streams = walked.get(resources) ?? new Set<number>();
  walked.set(resources, streams);
  if (streams.has(object)) return true;
  streams.add(object);
  return false;
}

/** Executes a content stream and restores the state afterwards. */
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
    tiled: request.tiled ?? walk.run.tiled,
    bytes,
    segments: [{ object: request.object, start: 0, end: bytes.length }],
  };
  const before = saved(walk);
  walk.isShared = true;
  if (request.isFresh) walk.state = initialState(request.freshClip ?? walk.state.clip.bbox);
  const state = own(walk);
  state.ctm = request.ctm;
  if (request.paint) {
    state.fill = request.paint;
    state.stroke = request.paint;
  }
  if (request.kind === 'form' && group) {
    // Inside a transparency group these are reset; the outer values apply to the group as a whole (ISO 32000-1,
    // 11.6.6).
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

/**
 * The fields of the walk that a run changes. Listed one by one, because copying the whole object is too slow for
 * thousands of small forms.
 */
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

/**
 * Counts an operator.
 * @throws FileFaultError PDF_LIMIT_EXPANSION when the page exceeds its budget, for example through nested forms
 */
export function spendOperator(walk: Walk): void {
  walk.operatorsLeft -= 1;
  if (walk.operatorsLeft < 0) {
    throw new FileFaultError('PDF_LIMIT_EXPANSION', {
      operators: walk.file.budgets.operatorsPerPage,
      page: walk.run.page,
    });
  }
}
