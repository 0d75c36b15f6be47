/** Replaces show operators by shapes; remaining text gets its own text matrix. */
import {
  type Font,
  invert,
  isDict,
  isName,
  isRef,
  isString,
  type Matrix,
  multiply,
  nameText,
  numberText,
  type OperatorEvent,
  pdfRef,
  type RewriteTools,
  type Run,
  rewriteDocument,
  stringText,
  type TextEvent,
  transformPoint,
} from '@pdf2press/pdf';
import { placeKey } from '../../editing/place-key.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { fontsOutline } from './contract.ts';
import { codeKey, type Found, showsAnything } from './find-text.ts';
import { type GlyphShape, n, pathText, type Shapes } from './glyph-shapes.ts';

type Context = FixContext<typeof fontsOutline>;

const positions = new Set(['Td', 'TD', 'Tm', 'T*']);
const textStates = new Set(['Tc', 'Tw', 'Tz', 'TL', 'Tr', 'Ts']);

export function replaceText(context: Context, found: Found, shapes: ReadonlyMap<Font, Shapes>): void {
  const { file, edit } = context;
  const all = [...found.shows.values()];
  const changing = new Set(all.filter((show) => show.isOutlined).map((show) => show.event.place.run.page));
  const isGone = goneFonts(context, found, shapes);
  const nameOf = createNames();
  const clips = new Map<Run, string[]>();
  /** Runs inside a text object; `isEmptied`: no text remains, and the text object is removed. */
  const inside = new Map<Run, { isEmptied: boolean }>();
  const end = (run: Run) => {
    const clip = clips.get(run) ?? [];
    clips.delete(run);
    const text = clip.length > 0 ? `\n${clip.join('\n')}\nW n\n` : '';
    const isEmptied = inside.get(run)?.isEmptied === true;
    inside.delete(run);
    if (isEmptied) return { replace: text };
    return text === '' ? undefined : { after: text };
  };
  rewriteDocument(file, {
    pages: [...changing].sort((a, b) => a - b),
    annotations: context.touches('annotation'),
    operator(event, tools) {
      const { place } = event;
      const { run, op } = place;
      if (op === 'Tf') return isGone(event) ? { replace: '' } : undefined;
      if (op === 'ET') return end(run);
      if (op === 'BT') {
        const isEmptied = found.wholeObjects.has(placeKey(place));
        inside.set(run, { isEmptied });
        return isEmptied ? { replace: '' } : undefined;
      }
      const object = inside.get(run);
      if (positions.has(op)) return object?.isEmptied ? { replace: '' } : undefined;
      if (textStates.has(op)) return found.keptPages.has(run.page) ? undefined : { replace: '' };
      const show = found.shows.get(placeKey(place));
      // An empty string needs no font, which may be removed.
      if (!show) return isShow(op) && !event.operands.some(showsAnything) ? { replace: spacingOf(event) } : undefined;
      if (!show.isOutlined) return { replace: placedShow(show.event, event) };
      const { font } = show.event;
      const set = font && shapes.get(font);
      if (!set) return undefined;
      const clip = clips.get(run) ?? [];
      clips.set(run, clip);
      const drawn = drawnShow(context, show.event, set, (form) => nameOf(run, form, tools), clip);
      // A show operator outside of a text object is invalid, but renderers show it.
      if (!object || object.isEmptied) return { replace: drawn };
      return { replace: `${spacingOf(event)}${drawn && `ET\n${drawn}BT`}` };
    },
  });
  edit.markChanged();
}

const isShow = (op: string): boolean => op === 'Tj' || op === 'TJ' || op === "'" || op === '"';

/** One resource name per form and run. */
function createNames() {
  const names = new Map<Run, Map<number, string>>();
  return (run: Run, form: number, tools: RewriteTools): string => {
    const known = names.get(run) ?? new Map<number, string>();
    names.set(run, known);
    let name = known.get(form);
    if (name === undefined) {
      name = nameText(tools.resource('XObject', pdfRef(form), `G${form}`));
      known.set(form, name);
    }
    return name;
  };
}

/** Selects Tf operators of fonts that are no longer used; otherwise the font would stay in the file. */
function goneFonts({ file, settings }: Context, found: Found, shapes: ReadonlyMap<Font, Shapes>) {
  const stays = [...found.shows.values()].filter((show) => !show.isOutlined);
  const kept = new Set(stays.map((show) => show.event.font?.object ?? 0));
  const gone = new Set([...shapes.keys()].map((font) => font.object));
  return ({ place, operands }: OperatorEvent): boolean => {
    const [name] = operands;
    const list = place.run.resources ? file.entry(place.run.resources, 'Font') : null;
    const font = isDict(list) && isName(name) ? list.map.get(name.name) : undefined;
    const object = isRef(font) ? font.num : 0;
    return !kept.has(object) && (gone.has(object) || settings.scope === 'All');
  };
}

/** Matrix from text space of size 1 to the current user space, without translation. */
function localMatrix(event: TextEvent): { local: Matrix; inverse: Matrix } | null {
  const inverse = invert(event.state.ctm);
  return inverse && { local: multiply(event.matrix, inverse), inverse };
}

/** The word and character spacing that the operator `"` sets for the text after it. */
function spacingOf({ place, operands }: OperatorEvent): string {
  const [word, character] = operands;
  return place.op === '"' && typeof word === 'number' && typeof character === 'number'
    ? `${n(word)} Tw ${n(character)} Tc `
    : '';
}

/** Shows remaining text with its own text matrix, because the text object around it is split. */
function placedShow(event: TextEvent, operator: OperatorEvent): string {
  const { place, operands } = operator;
  const found = localMatrix(event);
  const { size, scaling, rise } = event.state.text;
  const unscaled =
    found && size !== 0 && scaling !== 0
      ? multiply([1 / (size * scaling), 0, 0, 1 / size, 0, -rise / size], found.local)
      : null;
  const position = unscaled ? `${unscaled.map(n).join(' ')} Tm ` : '';
  const source = Buffer.from(place.run.bytes.subarray(place.start, place.end)).toString('latin1');
  const last = operands.at(-1);
  const text = isString(last) ? `${stringText(last.bytes)} Tj` : source;
  return `${spacingOf(operator)}${position}${text}`;
}

/** Draws the glyphs of one show operator as shapes, for use outside of a text object. */
function drawnShow(
  context: Context,
  event: TextEvent,
  shapes: Shapes,
  nameOf: (form: number) => string,
  clip: string[],
): string {
  const found = localMatrix(event);
  if (!found) return '';
  const isType3 = event.font?.type === 'Type3';
  const { local, inverse } = found;
  const placed: Placed[] = [];
  event.eachCode((code, bytes, x, y) => {
    const shape = shapes.get(codeKey(code, bytes));
    if (!shape || shape.form === 0) return;
    placed.push({
      shape,
      matrix: [local[0], local[1], local[2], local[3], ...transformPoint(inverse, x, y)],
    });
  });
  // Text rendering mode has no effect on Type 3 glyphs (ISO 32000-1, 9.3.6): they do not clip.
  if (event.state.text.mode >= 4 && !isType3)
    clip.push(...placed.map(({ shape, matrix }) => pathText(shape.segments, matrix)));
  if (event.paints === 'none' || placed.length === 0) return '';
  // Line widths and patterns keep their scale only if the path is drawn directly, not as a form.
  const isDirect = event.paints !== 'fill' || event.state.fill.pattern !== null;
  const body =
    isDirect && !isType3
      ? directText(event, placed, context.settings.fillRule === 'EvenOdd')
      : formText(placed, nameOf);
  return `q ${body}Q\n`;
}

interface Placed {
  shape: GlyphShape;
  matrix: Matrix;
}

function directText(event: TextEvent, placed: readonly Placed[], isEvenOdd: boolean): string {
  const star = isEvenOdd ? '*' : '';
  const operator = { fill: `f${star}`, stroke: 'S', both: `B${star}`, none: 'n' }[event.paints];
  return placed.map(({ shape, matrix }) => `${pathText(shape.segments, matrix)}\n${operator}\n`).join('');
}

/** Moves from glyph to glyph by relative steps; the same steps recur and compress well. */
function formText(placed: readonly Placed[], nameOf: (form: number) => string): string {
  const [first] = placed;
  const inverse = first && invert(first.matrix);
  if (!first || !inverse) return '';
  let text = `${first.matrix.map((value) => numberText(Math.round(value * 1e5) / 1e5)).join(' ')} cm\n`;
  let [atX, atY] = [0, 0];
  for (const { shape, matrix } of placed) {
    const [x, y] = transformPoint(inverse, matrix[4], matrix[5]);
    const [dx, dy] = [Math.round((x - atX) * 1e4) / 1e4, Math.round((y - atY) * 1e4) / 1e4];
    if (dx !== 0 || dy !== 0) text += `1 0 0 1 ${numberText(dx)} ${numberText(dy)} cm\n`;
    // The next step corrects the rounding error.
    [atX, atY] = [atX + dx, atY + dy];
    text += `${nameOf(shape.form)} Do\n`;
  }
  return text;
}
