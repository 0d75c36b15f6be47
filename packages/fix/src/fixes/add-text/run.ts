import {
  createGlyphOutlines,
  type Matrix,
  multiply,
  numberText,
  type PageFacts,
  type Rect,
  tidyBox,
  transformRect,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable } from '../../editing/boxes.ts';
import { hasOwnContent, ownTag } from '../../editing/own-content.ts';
import { placeOnPage, roomOnPage } from '../../editing/page-place.ts';
import { pageText } from '../../editing/page-text.ts';
import { fromSeen } from '../../editing/seen-page.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import { addText } from './contract.ts';

type Context = FixContext<typeof addText>;
type Settings = Context['settings'];

/** Height of capitals and depth of descenders of Helvetica, ems (Adobe Core 14 AFM: CapHeight 718, Descender -207). */
const capHeight = 0.718;
const descent = 0.207;
/** Ems above the capitals that accents may take. */
const accent = 0.25;

const n = (value: number): string => numberText(Math.round(value * 1000) / 1000);

export const run: FixRunner<typeof addText> = (context) => {
  const { settings, file } = context;
  const tag = ownTag('Text', addText.settings, settings);
  const outlines = createGlyphOutlines();
  const pages = changeable(context.pageFacts);
  for (const [at, page] of pages.entries()) {
    if (hasOwnContent(file, page, tag)) continue;
    const number = settings.startNumber === null ? page.number : settings.startNumber + at;
    const text = pageText(context, page, settings.text, number).trim();
    const { operators, width } = outlines.text(text);
    const place = placeOf(settings, page, width);
    if (text === '') context.warn('empty', { page: page.number });
    else if (place) write(context, { page, text, tag, operators, width, place });
    else context.warn('noRoom', { page: page.number });
  }
};

interface Line {
  page: PageFacts;
  text: string;
  tag: string;
  operators: string;
  /** Ems. */
  width: number;
  place: Place;
}

function write({ settings, edit, log, warn }: Context, { page, text, tag, operators, width, place }: Line): void {
  const toPage = fromSeen[page.rotate];
  wrapContent(edit, page, {
    before: 'q\n',
    after:
      `\nQ\n/Artifact <</Type/Pagination/Subtype/${tag}>> BDC q ${toPage.map(n).join(' ')} cm ` +
      `${place.matrix.map(n).join(' ')} cm ${inksOf(settings)} k\n${operators}Q EMC\n`,
  });
  if (place.isSmaller) warn('smaller', { page: page.number });
  const inEms: Rect = [0, -descent, width, capHeight + accent];
  log({
    what: 'text',
    page: page.number,
    before: null,
    after: text,
    parameter: 'text',
    box: tidyBox(transformRect(toPage, transformRect(place.matrix, inEms))),
  });
}

const colours = { K: { c: 0, m: 0, y: 0, k: 100 }, White: { c: 0, m: 0, y: 0, k: 0 } } as const;

/** Operands of `k`. */
function inksOf({ colour, inks }: Settings): string {
  const { c, m, y, k } = colour === 'Own' ? inks : colours[colour];
  return [c, m, y, k].map((percent) => n(percent / 100)).join(' ');
}

interface Place {
  /** From ems to the displayed page. */
  matrix: Matrix;
  isSmaller: boolean;
}

/**
 * Where the text stands on the displayed page. A line that is longer than the room between the edges is made smaller.
 * @param width of the text, ems
 * @returns null when there is no room between the edges
 */
function placeOf(settings: Settings, page: PageFacts, width: number): Place | null {
  const room = roomOnPage(settings, page).width;
  if (room <= 0 || width <= 0) return null;
  const wanted = settings.size / page.userUnit;
  const size = Math.min(wanted, room / width);
  const toPage = placeOnPage(settings, page, { width: width * size, height: capHeight * size });
  return { matrix: multiply([size, 0, 0, size, 0, 0], toPage), isSmaller: size < wanted };
}
