import {
  type BarcodeSymbol,
  createGlyphOutlines,
  loadBarcodes,
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
import { type SpotInk, spotInk } from '../../editing/spot-ink.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import { placeBarcode } from './contract.ts';
import { type BarcodeDrawing, drawBarcode } from './layout.ts';
import { encodedValue, symbolOf } from './value.ts';

type Context = FixContext<typeof placeBarcode>;

/** Operands of `cm` keep what makes bars exact to a ten-thousandth of their width. */
const exact = (value: number): string => numberText(Number(value.toFixed(6)));

export const run: FixRunner<typeof placeBarcode> = async (context) => {
  const { settings, file, edit } = context;
  const tag = ownTag('Barcode', placeBarcode.settings, settings);
  const pages = changeable(context.pageFacts).filter((page) => !hasOwnContent(file, page, tag));
  if (pages.length === 0) return;
  const encode = await loadBarcodes();
  const outlines = createGlyphOutlines();
  const spot = settings.colour === 'Spot' ? spotInk(edit, settings.spotName, settings.alternate) : null;
  const symbols = new Map<string, BarcodeSymbol>();
  for (const page of pages) {
    const text = pageText(context, page, settings.text).trim();
    if (text === '') {
      context.warn('empty', { page: page.number });
      continue;
    }
    const value = encodedValue(settings.symbology, text, page.number);
    const symbol = symbols.get(value) ?? symbolOf(encode, settings, value, page.number);
    symbols.set(value, symbol);
    const place = placeOf(context, page, drawBarcode(settings, symbol, value, outlines));
    if (place) write(context, { page, value, tag, place, spot });
    else context.warn('noRoom', { page: page.number });
  }
};

interface Place {
  drawing: BarcodeDrawing;
  /** From modules to default user space. */
  matrix: Matrix;
}

/** @returns null when the code is larger than the trim between its distances */
function placeOf({ settings }: Context, page: PageFacts, drawing: BarcodeDrawing): Place | null {
  const module = settings.moduleSize / page.userUnit;
  const size = { width: drawing.width * module, height: drawing.height * module };
  const room = roomOnPage(settings, page);
  if (size.width > room.width || size.height > room.height) return null;
  const toSeen = multiply([module, 0, 0, module, 0, 0], placeOnPage(settings, page, size));
  return { drawing, matrix: multiply(toSeen, fromSeen[page.rotate]) };
}

interface Code {
  page: PageFacts;
  value: string;
  tag: string;
  place: Place;
  spot: SpotInk | null;
}

function write({ settings, edit, log }: Context, { page, value, tag, place, spot }: Code): void {
  const { drawing, matrix } = place;
  const box: Rect = [0, 0, drawing.width, drawing.height];
  const ground = settings.ground === 'White' ? `0 0 0 0 k ${box.map(exact).join(' ')} re f\n` : '';
  const ink = spot ? `/${spot.on(page)} cs 1 scn` : '0 0 0 1 k';
  wrapContent(edit, page, {
    before: 'q\n',
    after:
      `\nQ\n/Artifact <</Type/Pagination/Subtype/${tag}>> BDC q ${matrix.map(exact).join(' ')} cm\n` +
      `${ground}${ink}\n${drawing.bars}${drawing.text}Q EMC\n`,
  });
  log({
    what: 'barcode',
    page: page.number,
    before: null,
    after: value,
    parameter: 'text',
    params: { symbology: settings.symbology },
    box: tidyBox(transformRect(matrix, box)),
  });
}
