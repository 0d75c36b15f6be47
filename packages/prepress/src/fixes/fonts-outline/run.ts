import {
  type Font,
  fontOutlines,
  type Glyph,
  interpreterOf,
  interpretPage,
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
  type OutlineSegment,
  pdfDict,
  pdfName,
  pdfRef,
  type RewriteTools,
  type Run,
  rewriteDocument,
  stringText,
  type TextEvent,
  transformPoint,
} from '@pdf2press/pdf';
import { nameMatcher } from '../frame/blacks.ts';
import { placeKey } from '../frame/place-key.ts';
import { pruneResources } from '../frame/prune-resources.ts';
import { type FixContext, type FixRunner, failed } from '../runner.ts';
import { outlineStrokes } from './strokes.ts';

type Context = FixContext<'FontsOutline'>;

/** One code of one font: its shape, and the form that draws it once that is needed. */
interface GlyphShape {
  segments: readonly OutlineSegment[];
  form: number;
}
type Shapes = Map<string, GlyphShape>;

/** What a show operator becomes, decided where its geometry is known. */
interface Show {
  event: TextEvent;
  isOutlined: boolean;
}

export const run: FixRunner<'FontsOutline'> = (context) => {
  const { targets } = context.settings;
  if (targets !== 'Vectors' && context.touches('text')) outlineFonts(context);
  if (targets !== 'Fonts' && context.touches('vector')) outlineStrokes(context);
};

function outlineFonts(context: Context): void {
  const found = findText(context);
  if (found.codes.size === 0) return;
  refuseMissing(context, found.fonts);
  const shapes = makeShapes(context, found);
  outline(context, found.shows, shapes);
  pruneResources(context.edit, ['Font']);
}

interface Found {
  /** Show operators by place, on pages with anything to outline. */
  shows: Map<string, Show>;
  fonts: Map<Font, { page: number; glyphs: number; smallest: number }>;
  codes: Map<Font, Map<string, number>>;
}

const hex = (code: number, bytes: number): string => code.toString(16).padStart(bytes * 2, '0');

function isWanted({ settings, file }: Context, event: TextEvent, isNamed: (name: string) => boolean): boolean {
  const { font, effectiveSize } = event;
  if (!font || (event.paints === 'none' && event.state.text.mode < 4 && settings.keepInvisibleText)) return false;
  const size = effectiveSize * (file.pages[event.place.run.page - 1]?.userUnit ?? 1);
  if ((settings.minSize !== null && size < settings.minSize) || (settings.maxSize !== null && size > settings.maxSize))
    return false;
  const scopes: Readonly<Record<typeof settings.scope, () => boolean>> = {
    All: () => true,
    NotEmbedded: () => !font.isEmbedded && font.type !== 'Type3',
    Type3: () => font.type === 'Type3',
    Protected: () => isProtected(file, font),
    Names: () => isNamed(font.baseName) || isNamed(font.name),
  };
  return scopes[settings.scope]();
}

/** The font's maker allows no embedding that could be edited (OS/2 fsType bit 1: restricted licence). */
function isProtected(file: Context['file'], font: Font): boolean {
  const program = font.program ? Buffer.from(file.stream(font.program)) : Buffer.alloc(0);
  if (program.length < 12) return false;
  const tables = program.readUInt16BE(4);
  for (let index = 0; index < tables && 12 + index * 16 + 16 <= program.length; index += 1) {
    const at = 12 + index * 16;
    if (program.toString('latin1', at, at + 4) !== 'OS/2') continue;
    const table = program.readUInt32BE(at + 8);
    return table + 10 <= program.length && (program.readUInt16BE(table + 8) & 2) !== 0;
  }
  return false;
}

function findText(context: Context): Found {
  const found: Found = { shows: new Map(), fonts: new Map(), codes: new Map() };
  const isNamed = nameMatcher(context.settings.names);
  for (const page of context.pages) {
    context.signal.throwIfAborted();
    interpretPage(
      context.file,
      page,
      [
        {
          text(event) {
            const isOutlined = isWanted(context, event, isNamed);
            found.shows.set(placeKey(event.place), { event, isOutlined });
            const { font } = event;
            if (!isOutlined || !font) return;
            const codes = found.codes.get(font) ?? new Map<string, number>();
            found.codes.set(font, codes);
            for (const { code, codeBytes } of event.glyphs()) codes.set(hex(code, codeBytes), code);
            const use = found.fonts.get(font) ?? { page, glyphs: 0, smallest: Number.POSITIVE_INFINITY };
            use.glyphs += event.glyphCount;
            use.smallest = Math.min(use.smallest, event.effectiveSize);
            found.fonts.set(font, use);
          },
        },
      ],
      { annotations: context.touches('annotation'), everyUse: true },
    );
  }
  return found;
}

/** Without its program a font's shapes are anybody's guess: that is no outline of this font. */
function refuseMissing(context: Context, fonts: Found['fonts']): void {
  const missing = [...fonts.keys()]
    .filter((font) => !font.isEmbedded && font.type !== 'Type3')
    .map((font) => font.baseName);
  if (missing.length > 0) throw failed('fontNotEmbedded', { fonts: [...new Set(missing)] });
  const unusable = [...fonts.keys()].filter((font) => font.object === 0).map((font) => font.baseName);
  if (unusable.length > 0) throw failed('fontUnusable', { fonts: [...new Set(unusable)] });
  const { warnBelowSize } = context.settings;
  for (const [font, { page, glyphs, smallest }] of fonts) {
    context.log({
      what: 'font',
      page,
      object: `${font.object} 0 R`,
      before: font.baseName,
      after: null,
      parameter: 'targets',
      params: { glyphs, font: font.baseName },
    });
    if (warnBelowSize !== null && smallest < warnBelowSize)
      context.warn('small', { font: font.baseName, size: Math.round(smallest * 10) / 10, limit: warnBelowSize });
  }
}

const n = (value: number): string => numberText(Math.round(value * 1e4) / 1e4);

function pathText(segments: readonly OutlineSegment[], matrix: Matrix | null): string {
  const letters = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;
  return segments
    .map(([letter, ...values]) => {
      const points: string[] = [];
      for (let at = 0; at + 1 < values.length; at += 2) {
        const [x, y] = matrix
          ? transformPoint(matrix, values[at] ?? 0, values[at + 1] ?? 0)
          : [values[at] ?? 0, values[at + 1] ?? 0];
        points.push(n(x), n(y));
      }
      return [...points, letters[letter]].join(' ');
    })
    .join('\n');
}

function makeShapes(context: Context, found: Found): Map<Font, Shapes> {
  const all = new Map<Font, Shapes>();
  for (const [font, codes] of found.codes) {
    const shapes: Shapes = new Map();
    all.set(font, shapes);
    if (font.type === 'Type3') {
      for (const [key, code] of codes) shapes.set(key, { segments: [], form: type3Form(context, font, code) });
      continue;
    }
    for (const [key, segments] of fontOutlines(context.file, font.object, [...codes.keys()]))
      shapes.set(key, { segments, form: segments.length > 0 ? glyphForm(context, segments) : 0 });
  }
  return all;
}

function glyphForm({ edit, settings }: Context, segments: readonly OutlineSegment[]): number {
  const xs = segments.flatMap(([, ...values]) => values.filter((_, index) => index % 2 === 0));
  const ys = segments.flatMap(([, ...values]) => values.filter((_, index) => index % 2 === 1));
  const box = [Math.min(...xs) - 0.01, Math.min(...ys) - 0.01, Math.max(...xs) + 0.01, Math.max(...ys) + 0.01].map(
    (edge) => Math.round(edge * 1e4) / 1e4,
  );
  return edit.addStream(
    Buffer.from(`${pathText(segments, null)}\n${settings.fillRule === 'EvenOdd' ? 'f*' : 'f'}`, 'latin1'),
    pdfDict({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: box, Resources: pdfDict({}) }),
  );
}

/** A glyph of a Type 3 font is a little content stream already: as a form it draws the same. */
function type3Form({ edit, file }: Context, font: Font, code: number): number {
  const loaded = interpreterOf(file).fonts.read(pdfRef(font.object));
  const procedure = loaded?.glyphProcedure(code);
  if (!procedure) return 0;
  const text = Buffer.from(file.stream(procedure.object))
    .toString('latin1')
    .replace(/^\s*(?:[-+.\d]+\s+){2}d0\b|^\s*(?:[-+.\d]+\s+){6}d1\b/, '');
  const box = file.entry(font.dict, 'FontBBox');
  const isBox = Array.isArray(box) && box.length === 4 && box.some((edge) => edge !== 0);
  // An empty FontBBox says nothing about the size of glyphs.
  const dict = pdfDict({
    Type: pdfName('XObject'),
    Subtype: pdfName('Form'),
    BBox: isBox ? box : [-10_000, -10_000, 10_000, 10_000],
    Matrix: [...font.fontMatrix],
    Resources: loaded?.resources ?? pdfDict({}),
  });
  return edit.addStream(Buffer.from(text, 'latin1'), dict);
}

function outline(context: Context, shows: Found['shows'], shapes: Map<Font, Shapes>): void {
  const { file, edit } = context;
  const names = new Map<Run, Map<number, string>>();
  const clips = new Map<Run, string[]>();
  const nameOf = (run: Run, form: number, tools: RewriteTools): string => {
    const known = names.get(run) ?? new Map<number, string>();
    names.set(run, known);
    let name = known.get(form);
    if (name === undefined) {
      name = nameText(tools.resource('XObject', pdfRef(form), `G${form}`));
      known.set(form, name);
    }
    return name;
  };
  const changing = new Set(
    [...shows.values()].filter((show) => show.isOutlined).map((show) => show.event.place.run.page),
  );
  const kept = new Set(
    [...shows.values()].filter((show) => !show.isOutlined).map((show) => show.event.font?.object ?? 0),
  );
  const gone = new Set([...shapes.keys()].map((font) => font.object));
  /** A font that shows nothing any more is not to be named, or it would have to stay. */
  const isGone = ({ place, operands }: OperatorEvent): boolean => {
    const [name] = operands;
    const list = place.run.resources ? file.entry(place.run.resources, 'Font') : null;
    const font = isDict(list) && isName(name) ? list.map.get(name.name) : undefined;
    const object = isRef(font) ? font.num : 0;
    return !kept.has(object) && (gone.has(object) || context.settings.scope === 'All');
  };
  rewriteDocument(file, {
    pages: [...changing].sort((a, b) => a - b),
    annotations: context.touches('annotation'),
    operator(event, tools) {
      const { place } = event;
      if (place.op === 'Tf') return isGone(event) ? { replace: '' } : undefined;
      if (place.op === 'ET') {
        const clip = clips.get(place.run);
        clips.delete(place.run);
        return clip && clip.length > 0 ? { after: `\n${clip.join('\n')}\nW n\n` } : undefined;
      }
      const show = shows.get(placeKey(place));
      if (!show) return undefined;
      if (!show.isOutlined) return { replace: placedShow(show.event, event) };
      const { font } = show.event;
      const set = font && shapes.get(font);
      if (!set) return undefined;
      const clip = clips.get(place.run) ?? [];
      clips.set(place.run, clip);
      return { replace: drawnShow(context, show.event, set, (form) => nameOf(place.run, form, tools), clip) };
    },
  });
  edit.markChanged();
}

/** From text space at size 1 to the content's own space, the origin apart. */
function localMatrix(event: TextEvent): { local: Matrix; inverse: Matrix } | null {
  const inverse = invert(event.state.ctm);
  return inverse && { local: multiply(event.matrix, inverse), inverse };
}

/** Text that stays is placed by itself: the text objects around it are broken up. */
function placedShow(event: TextEvent, { place, operands }: OperatorEvent): string {
  const found = localMatrix(event);
  const { size, scaling, rise } = event.state.text;
  const unscaled =
    found && size !== 0 && scaling !== 0
      ? multiply([1 / (size * scaling), 0, 0, 1 / size, 0, -rise / size], found.local)
      : null;
  const position = unscaled ? `${unscaled.map(n).join(' ')} Tm ` : '';
  const last = operands.at(-1);
  const text = isString(last)
    ? `${stringText(last.bytes)} Tj`
    : Buffer.from(place.run.bytes.subarray(place.start, place.end)).toString('latin1');
  const [word, character] = operands;
  const spacing =
    place.op === '"' && typeof word === 'number' && typeof character === 'number'
      ? `${n(word)} Tw ${n(character)} Tc `
      : '';
  return `${spacing}${position}${place.op === 'TJ' ? Buffer.from(place.run.bytes.subarray(place.start, place.end)).toString('latin1') : text}`;
}

/** Glyphs of one show operator as shapes, outside of the text object. */
function drawnShow(
  context: Context,
  event: TextEvent,
  shapes: Shapes,
  nameOf: (form: number) => string,
  clip: string[],
): string {
  const found = localMatrix(event);
  if (!found) return '';
  const { mode } = event.state.text;
  const placed = event.glyphs().flatMap((glyph) => placedGlyph(glyph, shapes, found));
  const isClip = mode >= 4;
  if (isClip) clip.push(...placed.map(({ shape, matrix }) => pathText(shape.segments, matrix)));
  if (event.paints === 'none' || placed.length === 0) return '';
  // Strokes keep their width and patterns their place only when the path itself is drawn.
  const isDirect = event.paints !== 'fill' || (event.state.fill.pattern !== null && event.font?.type !== 'Type3');
  const body =
    isDirect && event.font?.type !== 'Type3'
      ? directText(event, placed, context.settings.fillRule === 'EvenOdd')
      : formText(placed, nameOf);
  return `ET\nq ${body}Q\nBT`;
}

interface Placed {
  shape: GlyphShape;
  matrix: Matrix;
}

function placedGlyph(glyph: Glyph, shapes: Shapes, { local, inverse }: { local: Matrix; inverse: Matrix }): Placed[] {
  const shape = shapes.get(hex(glyph.code, glyph.codeBytes));
  if (!shape || shape.form === 0) return [];
  const [x, y] = transformPoint(inverse, glyph.x, glyph.y);
  return [{ shape, matrix: [local[0], local[1], local[2], local[3], x, y] }];
}

function directText(event: TextEvent, placed: readonly Placed[], isEvenOdd: boolean): string {
  const star = isEvenOdd ? '*' : '';
  const operator = { fill: `f${star}`, stroke: 'S', both: `B${star}`, none: 'n' }[event.paints];
  return placed.map(({ shape, matrix }) => `${pathText(shape.segments, matrix)}\n${operator}\n`).join('');
}

/** Glyph after glyph by the step between them: the same steps come again and again, so that they compress well. */
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
    // What was rounded off is made up for at the next step.
    [atX, atY] = [atX + dx, atY + dy];
    text += `${nameOf(shape.form)} Do\n`;
  }
  return text;
}
