/** Converts strokes to fills of the same area, with the same colour, overprint and opacity. */
import {
  type GraphicsState,
  interpretPage,
  invert,
  type Matrix,
  numberText,
  objectPath,
  type PathEvent,
  type PathSegment,
  type PdfValue,
  type Place,
  pdfDict,
  pdfName,
  type Run,
  rewriteDocument,
  strokeOutline,
  transformPoint,
} from '@pdf2press/pdf';
import { colourText, createColourTracker, fillTwin } from '../../editing/colour-tracker.ts';
import { placeKey } from '../../editing/place-key.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { fontsOutline } from './contract.ts';

type Context = FixContext<typeof fontsOutline>;

/** Replacement of an operator; `state` is needed where overprint or opacity differ between stroke and fill. */
interface Change {
  before?: string;
  replace: string;
  state?: PdfValue | undefined;
}

/** Operators of a path that has not been painted yet. */
interface Open {
  places: Place[];
  isClip: boolean;
}

const construction = new Set(['m', 'l', 'c', 'v', 'y', 're', 'h']);
/** Points. Narrower shapes print unevenly, as thin lines do. */
const thinnest = 0.25;
/** A stroke with more dashes is a pattern and stays a stroke. */
const mostPieces = 20_000;
const stateName = '{state}';

export function outlineStrokes(context: Context): void {
  const changes = new Map<string, Change>();
  const changing: number[] = [];
  for (const page of context.pages) {
    context.signal.throwIfAborted();
    const before = changes.size;
    decidePage(context, page, changes);
    if (changes.size > before) changing.push(page);
  }
  if (changing.length === 0) return;
  rewriteDocument(context.file, {
    pages: changing,
    annotations: context.touches('annotation'),
    operator(event, tools) {
      const change = changes.get(placeKey(event.place));
      if (!change) return undefined;
      const name = change.state ? tools.resource('ExtGState', change.state, 'P2PGS') : '';
      const text = (content: string): string => content.replace(stateName, name);
      return {
        ...(change.before !== undefined && { before: text(change.before) }),
        replace: text(change.replace),
      };
    },
  });
  context.edit.markChanged();
}

function decidePage(context: Context, page: number, changes: Map<string, Change>): void {
  const tracker = createColourTracker();
  const opened = new Map<Run, Open>();
  const see = (event: PathEvent): void => {
    const { run } = event.place;
    const open = opened.get(run) ?? { places: [], isClip: false };
    opened.delete(run);
    tracker.endPath(run);
    if (event.paints === 'fill' || isInGlyph(run)) return;
    const problem = problemOf(event);
    if (problem) {
      context.warn(problem, { page });
      return;
    }
    const paint = fillText(event, isUncoloured(run) ? '' : strokeColour(event, tracker.of(run).now.stroke));
    if (paint === null || paint === 'tooMany') {
      context.warn(paint === null ? 'colourInherited' : 'tooManyDashes', { page });
      return;
    }
    const width = event.lineWidth * (context.file.pages[page - 1]?.userUnit ?? 1);
    if (width < thinnest - 1e-6)
      context.warn('thinStroke', { page, width: Math.round(width * 1000) / 1000, limit: thinnest });
    change(event, open, paint, changes);
    context.log({
      what: 'stroke',
      page,
      object: `${run.object} 0 R ${objectPath(event.place)}`,
      box: event.painted,
      before: `${Math.round(width * 1000) / 1000} pt`,
      after: null,
      parameter: 'targets',
    });
  };
  interpretPage(
    context.file,
    page,
    [
      {
        operator(event) {
          tracker.see(event);
          const { op, run } = event.place;
          const open = opened.get(run) ?? { places: [], isClip: false };
          if (construction.has(op)) open.places.push(event.place);
          else if (op === 'W' || op === 'W*') open.isClip = true;
          else return;
          opened.set(run, open);
        },
        path: see,
        runEnd: ({ run }) => {
          tracker.forget(run);
          opened.delete(run);
        },
      },
      {
        operator({ place }) {
          if (place.op !== 'n') return;
          opened.delete(place.run);
          tracker.endPath(place.run);
        },
      },
    ],
    { annotations: context.touches('annotation'), everyUse: true },
  );
}

/** Strokes in Type 3 glyphs are converted with their fonts. */
function isInGlyph(run: Run): boolean {
  for (let at: Run | null = run; at; at = at.parent) if (at.kind === 'type3') return true;
  return false;
}

/** An uncoloured pattern takes its colour from where it is used. */
function isUncoloured(run: Run): boolean {
  for (let at: Run | null = run; at; at = at.parent)
    if (at.kind === 'pattern' && at.dict.map.get('PaintType') === 2) return true;
  return false;
}

/** Reason why a stroke cannot be converted; null when it can. */
function problemOf({ state, paints }: PathEvent): string | null {
  // Width 0 means the thinnest line of the device, which no shape can express.
  if (state.lineWidth <= 0) return 'hairline';
  // Fill and stroke by one operator are composited as one object; two objects would show through each other.
  const isOne = paints === 'both' && (state.strokeAlpha < 1 || state.fillAlpha < 1 || state.blendMode !== 'Normal');
  return isOne ? 'strokeTransparent' : null;
}

function strokeColour({ state }: PathEvent, said: string | null): string | null {
  const text = said ?? colourText(state.stroke, true);
  return text === null ? null : fillTwin(text);
}

/** Operators that paint the stroke as a fill; null or 'tooMany' when that is not possible. */
function fillText(event: PathEvent, colour: string | null): string | null | 'tooMany' {
  const { state } = event;
  const inverse = invert(state.ctm);
  if (colour === null || !inverse) return null;
  const pieces = strokeOutline(inSpace(event.segments(), inverse), {
    width: state.lineWidth,
    cap: state.lineCap,
    join: state.lineJoin,
    miterLimit: state.miterLimit,
    dash: state.dash,
    dashPhase: state.dashPhase,
  });
  if (pieces.length > mostPieces) return 'tooMany';
  const gs = needsState(state) ? ` /${stateName} gs` : '';
  return `q ${colour}${gs}\n${pieces.map((piece) => pathText(piece, state.ctm)).join('\n')}\nf Q\n`;
}

function inSpace(segments: readonly PathSegment[], matrix: Matrix): PathSegment[] {
  return segments.map((segment): PathSegment => {
    if (segment[0] === 'Z') return segment;
    const [letter, ...values] = segment;
    const points: number[] = [];
    for (let at = 0; at + 1 < values.length; at += 2)
      points.push(...transformPoint(matrix, values[at] ?? 0, values[at + 1] ?? 0));
    return [letter, ...points] as never;
  });
}

const letters = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;

/** Path operators with enough digits for a ten-thousandth of a point on the page. */
function pathText(segments: readonly PathSegment[], ctm: Matrix): string {
  const scale = Math.max(Math.hypot(ctm[0], ctm[1]), Math.hypot(ctm[2], ctm[3]));
  const digits = Math.min(8, Math.max(2, Math.ceil(4 + Math.log10(scale || 1))));
  const factor = 10 ** digits;
  return segments
    .map(([letter, ...values]) =>
      [...values.map((value) => numberText(Math.round(value * factor) / factor)), letters[letter]].join(' '),
    )
    .join('\n');
}

const needsState = (state: GraphicsState): boolean =>
  state.strokeOverprint !== state.fillOverprint || state.strokeAlpha !== state.fillAlpha;

const stateOf = (state: GraphicsState): PdfValue | undefined =>
  needsState(state)
    ? pdfDict({ Type: pdfName('ExtGState'), op: state.strokeOverprint, ca: state.strokeAlpha })
    : undefined;

function change(event: PathEvent, { places, isClip }: Open, paint: string, changes: Map<string, Change>): void {
  const { place, state, paints, isEvenOdd } = event;
  const fill = isEvenOdd ? 'f*' : 'f';
  const start = places[0];
  const also = stateOf(state);
  if (!isClip || !start) {
    // The path itself is painted only if it is also filled.
    if (paints === 'stroke') for (const part of places) changes.set(placeKey(part), { replace: '' });
    changes.set(placeKey(place), {
      replace: paints === 'both' ? `${fill}\n${paint}` : paint,
      state: also,
    });
    return;
  }
  // The clip applies to what follows, so the shape is painted before the clip is set.
  const inverse = invert(state.ctm);
  const path =
    paints === 'both' && inverse ? `${pathText(inSpace(event.segments(), inverse), state.ctm)}\n${fill}\n` : '';
  const { run } = start;
  const said = Buffer.from(run.bytes.subarray(start.start, start.end)).toString('latin1');
  changes.set(placeKey(start), { replace: `${path}${paint}${said}`, state: also });
  changes.set(placeKey(place), { replace: 'n' });
}
