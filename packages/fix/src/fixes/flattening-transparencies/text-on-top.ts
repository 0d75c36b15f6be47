/**
 * Opaque text above transparent objects is removed before regions are rendered and shown again above the image, so that
 * it stays text. Text covered by anything becomes part of the image.
 */
import {
  addResources,
  type Font,
  interpretPage,
  intersect,
  isArray,
  isEmptyRect,
  multiply,
  numberText,
  type OperatorEvent,
  type PdfValue,
  pdfDict,
  pdfRef,
  type Rect,
  type ResourceKind,
  rewriteDocument,
  type TextEvent,
  union,
} from '@pdf2press/pdf';
import { colourText } from '../../editing/colour-tracker.ts';
import type { Painted } from '../../editing/painted.ts';
import { placeKey } from '../../editing/place-key.ts';
import { createRectIndex } from '../../editing/rect-index.ts';
import { alternateValue, inkSpaceValue } from '../../editing/space-value.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { flatteningTransparencies } from './contract.ts';
import { overprints, paintsTransparent, seenBox } from './transparent.ts';

type Context = FixContext<typeof flatteningTransparencies>;

export interface LiftedText {
  /** Operators that show the text again in default user space; adds its resources to the page. */
  place: () => string;
}

/** Removes such text from the content. The result has an entry for each page that had any. */
export function liftText(context: Context, regions: ReadonlyMap<number, readonly Rect[]>): Map<number, LiftedText> {
  const { file } = context;
  const found = new Map<string, TextEvent>();
  const pages = [...regions].flatMap(([page, areas]) => {
    const events = textOnTop(context, page, areas);
    for (const event of events) found.set(placeKey(event.place), event);
    return events.length > 0 ? [page] : [];
  });
  const shows = new Map<number, { event: TextEvent; source: string }[]>(pages.map((page) => [page, []]));
  if (pages.length === 0) return new Map();
  rewriteDocument(file, {
    pages,
    annotations: false,
    operator(event) {
      const text = found.get(placeKey(event.place));
      if (!text) return undefined;
      const { run, start, end, op } = event.place;
      const source = Buffer.from(run.bytes.subarray(start, end)).toString('latin1').trim();
      shows.get(run.page)?.push({ event: text, source: op === "'" ? `${source.slice(0, -1)} Tj` : source });
      return { replace: `${op === "'" ? 'T* ' : ''}[${numberText(-1000 * advanceOf(text, event))}] TJ` };
    },
  });
  context.edit.markChanged();
  return new Map([...shows].map(([page, texts]) => [page, { place: () => placed(context, page, texts) }]));
}

/** Text that no later object covers, in painting order. */
function textOnTop(context: Context, page: number, areas: readonly Rect[]): TextEvent[] {
  if (areas.length === 0) return [];
  const painted: { event: Painted; box: Rect }[] = [];
  const see = (event: Painted): void => {
    if (event.place.run.isInSoftMask || ('paints' in event && event.paints === 'none')) return;
    const box = seenBox(event);
    if (areas.some((area) => !isEmptyRect(intersect(area, box)))) painted.push({ event, box });
  };
  interpretPage(context.file, page, [{ text: see, path: see, image: see, shading: see }], {
    annotations: false,
    everyUse: true,
  });
  const above = createRectIndex(areas.reduce(union));
  const found: TextEvent[] = [];
  for (const { event, box } of painted.reverse()) {
    if (event.kind === 'text' && canBeSaidAgain(context, event) && !above.meets(box)) found.push(event);
    else above.add(box);
  }
  return found.reverse();
}

/**
 * Whether the text can be shown again by itself: filled, opaque, not clipped, in no layer, with a font and colour that
 * can be named.
 */
function canBeSaidAgain({ settings }: Context, event: TextEvent): boolean {
  const { font, place, state, layers, bbox } = event;
  const { clip, text } = state;
  const grow = event.effectiveSize * 0.3;
  const isWhole =
    clip.isRect &&
    clip.bbox[0] <= bbox[0] - grow &&
    clip.bbox[1] <= bbox[1] - grow &&
    clip.bbox[2] >= bbox[2] + grow &&
    clip.bbox[3] >= bbox[3] + grow;
  const isPlain = font !== null && font.object !== 0 && font.type !== 'Type3' && !font.isVertical;
  return (
    text.mode === 0 &&
    isPlain &&
    text.size !== 0 &&
    text.scaling !== 0 &&
    place.op !== '"' &&
    layers.objects.length === 0 &&
    isOfPageOrForm(event) &&
    isWhole &&
    !paintsTransparent(event) &&
    !(settings.preserveOverprint === 'Simulate' && overprints(event)) &&
    colourOf(event) !== null
  );
}

/**
 * Whether the text is in the page or a form without a group. Groups are painted as a whole; glyphs, patterns and
 * appearances belong to the object that uses them.
 */
function isOfPageOrForm({ place }: TextEvent): boolean {
  for (let at: TextEvent['place']['run'] | null = place.run; at; at = at.parent)
    if (at.kind !== 'page' && (at.kind !== 'form' || at.group)) return false;
  return true;
}

interface Said {
  text: string;
  space: PdfValue | null;
}

/** Fill colour operators, `{}` for the name of its space; null for a colour that cannot be written. */
function colourOf({ state: { fill } }: TextEvent): Said | null {
  const device = colourText(fill, false);
  if (device !== null) return { text: device, space: null };
  const { space, values, pattern } = fill;
  if (pattern) return null;
  const value =
    space.family === 'Separation' || space.family === 'DeviceN' ? inkSpaceValue(space) : alternateValue(space);
  return value === null ? null : { text: `/{} cs ${values.map(numberText).join(' ')} scn`, space: value };
}

/** Advance of a show operator in text space units before scaling (ISO 32000-1, 9.4.4). */
function advanceOf(event: TextEvent, { operands }: OperatorEvent): number {
  const { size, charSpacing, wordSpacing } = event.state.text;
  const [list] = operands;
  const moves = isArray(list)
    ? list.reduce<number>((sum, entry) => sum + (typeof entry === 'number' ? entry : 0), 0)
    : 0;
  const glyphs = event
    .glyphs()
    .reduce(
      (sum, { advance, code, codeBytes }) =>
        sum + advance + (charSpacing + (codeBytes === 1 && code === 32 ? wordSpacing : 0)) / size,
      0,
    );
  return Math.round((glyphs - moves / 1000) * 1e7) / 1e7;
}

const n = (value: number): string => numberText(Math.round(value * 1e6) / 1e6);

function placed(context: Context, page: number, texts: readonly { event: TextEvent; source: string }[]): string {
  const { edit, file } = context;
  const names = new Map<string, string>();
  const nameOf = (kind: ResourceKind, key: string, value: () => PdfValue): string => {
    const known = names.get(`${kind} ${key}`);
    if (known !== undefined) return known;
    const [name = ''] = addResources(edit, file.pageNow(page), [{ kind, value: value(), hint: 'OnTop' }]);
    names.set(`${kind} ${key}`, name);
    return name;
  };
  return texts
    .map(({ event, source }) => {
      const { state, matrix } = event;
      const { size, scaling, rise, charSpacing, wordSpacing, font } = state.text;
      const colour = colourOf(event) as Said;
      const { space } = colour;
      const fill = space
        ? colour.text.replace(
            '{}',
            nameOf('ColorSpace', JSON.stringify(space), () => space),
          )
        : colour.text;
      const overprint = [state.strokeOverprint, state.fillOverprint, state.overprintMode] as const;
      const gs = nameOf('ExtGState', overprint.join(), () => overprintState(...overprint));
      const fontName = nameOf('Font', String((font as Font).object), () => pdfRef((font as Font).object));
      const unscaled = multiply([1 / (size * scaling), 0, 0, 1 / size, 0, -rise / size], matrix);
      return (
        `q /${gs} gs ${fill} BT /${fontName} ${n(size)} Tf ${n(charSpacing)} Tc ${n(wordSpacing)} Tw ${n(scaling * 100)} Tz ` +
        `${n(rise)} Ts ${unscaled.map(n).join(' ')} Tm ${source} ET Q\n`
      );
    })
    .join('');
}

const overprintState = (stroke: boolean, fill: boolean, mode: number): PdfValue =>
  pdfDict({ OP: stroke, op: fill, OPM: mode });
