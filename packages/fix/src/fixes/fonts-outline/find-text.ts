/** Decides which text becomes shapes and which stays, from its geometry. */
import {
  type Font,
  interpretPage,
  isArray,
  isString,
  type OperatorEvent,
  type PdfDict,
  type PdfValue,
  type Run,
  type TextEvent,
} from '@pdf2press/pdf';
import { nameMatcher } from '../../editing/blacks.ts';
import { placeKey } from '../../editing/place-key.ts';
import { colourOperators } from '../../editing/recolour/colour-operators.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { fontsOutline } from './contract.ts';

type Context = FixContext<typeof fontsOutline>;

/** A show operator and whether it becomes shapes. */
export interface Show {
  event: TextEvent;
  isOutlined: boolean;
}

export interface Found {
  /** Show operators of all pages, by place key. */
  shows: Map<string, Show>;
  /** Place keys of the BT operators of text objects without remaining text. */
  wholeObjects: Set<string>;
  /** Numbers of pages with remaining text. */
  keptPages: Set<number>;
  fonts: Map<Font, { page: number; glyphs: number; smallest: number }>;
  /** Codes to outline, by font and code key. */
  codes: Map<Font, Map<number, Code>>;
  /** Resources used by Type 3 fonts that have none of their own. */
  resources: Map<Font, PdfDict | null>;
  /** Operators to remove from glyph procedures that become forms, by object number and offset. */
  glyphEdits: Map<number, Map<number, { start: number; end: number; replace: string }>>;
}

/** A character code and its length: the same number in one and in two bytes are different codes. */
export interface Code {
  code: number;
  bytes: number;
}

export const codeKey = (code: number, bytes: number): number => code * 8 + bytes;

const showOperators = new Set(['Tj', 'TJ', "'", '"']);
const heard = new Set(['BT', 'ET', 'd0', 'd1', 'ri', ...showOperators, ...colourOperators]);

/** The text object being read: number of its show operators, and how many of them become shapes. */
interface TextObject {
  key: string;
  shown: number;
  outlined: number;
}

export function findText(context: Context): Found {
  const found: Found = {
    shows: new Map(),
    wholeObjects: new Set(),
    keptPages: new Set(),
    fonts: new Map(),
    codes: new Map(),
    resources: new Map(),
    glyphEdits: new Map(),
  };
  const isNamed = nameMatcher(context.settings.names);
  for (const page of context.pages) {
    context.signal.throwIfAborted();
    const objects = new Map<Run, TextObject>();
    const uncoloured = new Set<Run>();
    const operator = (event: OperatorEvent): void => {
      const { run, op } = event.place;
      if (run.kind === 'type3') noteGlyph(found, uncoloured, event);
      if (op === 'BT') objects.set(run, { key: placeKey(event.place), shown: 0, outlined: 0 });
      const object = objects.get(run);
      if (showOperators.has(op) && event.operands.some(showsAnything)) {
        if (object) object.shown += 1;
        // Counts as remaining text until its text event says otherwise.
        else found.keptPages.add(page);
      }
      if (op !== 'ET' || !object) return;
      objects.delete(run);
      if (object.shown > object.outlined) found.keptPages.add(page);
      else found.wholeObjects.add(object.key);
    };
    const text = (event: TextEvent): void => {
      const { font, place } = event;
      // Outlined with the glyph it is in, in the next pass.
      if (isInOutlinedGlyph(found, place.run)) return;
      const isOutlined = isWanted(context, event, isNamed);
      found.shows.set(placeKey(place), { event, isOutlined });
      if (!isOutlined || !font) return;
      const object = objects.get(place.run);
      if (object) object.outlined += 1;
      noteUse(found, event, font, page);
    };
    interpretPage(context.file, page, [{ operators: heard, operator }, { text }], {
      annotations: context.touches('annotation'),
      everyUse: true,
    });
    if (objects.size > 0) found.keptPages.add(page);
  }
  return found;
}

export const showsAnything = (operand: PdfValue): boolean =>
  isArray(operand) ? operand.some(showsAnything) : isString(operand) && operand.bytes.length > 0;

function noteUse(found: Found, event: TextEvent, font: Font, page: number): void {
  const codes = found.codes.get(font) ?? new Map<number, Code>();
  found.codes.set(font, codes);
  event.eachCode((code, bytes) => {
    const key = codeKey(code, bytes);
    if (!codes.has(key)) codes.set(key, { code, bytes });
  });
  if (font.type === 'Type3' && !found.resources.has(font)) found.resources.set(font, event.place.run.resources);
  const use = found.fonts.get(font) ?? { page, glyphs: 0, smallest: Number.POSITIVE_INFINITY };
  use.glyphs += event.glyphCount;
  use.smallest = Math.min(use.smallest, event.effectiveSize);
  found.fonts.set(font, use);
}

/**
 * Records operators that are not allowed in a form: glyph widths (d0, d1), and colour operators after d1, which have no
 * effect in a glyph (ISO 32000-1, 9.6.5).
 */
function noteGlyph(found: Found, uncoloured: Set<Run>, { place }: OperatorEvent): void {
  const { run, op, start, end } = place;
  const isWidth = op === 'd0' || op === 'd1';
  if (op === 'd1') uncoloured.add(run);
  const isIdle = uncoloured.has(run) && (op === 'ri' || colourOperators.has(op));
  if (!isWidth && !isIdle) return;
  const edits = found.glyphEdits.get(run.object) ?? new Map<number, { start: number; end: number; replace: string }>();
  found.glyphEdits.set(run.object, edits);
  edits.set(start, { start, end, replace: '' });
}

function isInOutlinedGlyph({ shows }: Found, run: Run): boolean {
  for (let at: Run | null = run; at; at = at.parent)
    if (at.kind === 'type3') return at.via !== null && shows.get(placeKey(at.via))?.isOutlined === true;
  return false;
}

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

/** Whether the font's licence forbids embedding (OS/2 fsType bit 1). */
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
