import {
  addResources,
  colorantsOf,
  covers,
  fittingDpi,
  interpretPage,
  numberText,
  type PageFacts,
  type PdfFile,
  pdfDict,
  pdfRef,
  tidyBox,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable } from '../../editing/boxes.ts';
import { hasOwnContent, ownTag } from '../../editing/own-content.ts';
import { type SpotInk, spotInk } from '../../editing/spot-ink.ts';
import { isWithoutLayers, stepLayer } from '../../editing/step-layer.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import { type Contour, inkContours, trimContour } from './contours.ts';
import { addCutContour } from './contract.ts';

type Context = FixContext<typeof addCutContour>;

/** Resolution at which the outline of the ink is read, and pixels of a page, which lower it for large ones. */
const outlineDpi = 300;
const outlinePixels = 12_000_000;

export const run: FixRunner<typeof addCutContour> = async (context) => {
  const { settings, file, edit } = context;
  const tag = ownTag('Cut', addCutContour.settings, settings);
  const pages = changeable(context.pageFacts).filter((page) => !hasOwnContent(file, page, tag));
  const spot = spotInk(edit, settings.spotName, settings.alternate);
  const drawn = drawing(context, spot, tag);
  for (const [done, page] of pages.entries()) {
    context.progress(done, pages.length);
    context.signal.throwIfAborted();
    if (isUsedOn(file, page, settings.spotName)) {
      context.warn('present', { page: page.number, name: settings.spotName });
      continue;
    }
    const contours = await contoursOf(context, page);
    if (contours.length === 0) context.warn('nothing', { page: page.number });
    else drawn(page, contours);
  }
};

async function contoursOf({ settings, render }: Context, page: PageFacts): Promise<Contour[]> {
  if (settings.from === 'Trim') return [trimContour(page.effective.trim, settings.cornerRadius / page.userUnit)];
  const dpi = fittingDpi(page, { dpi: outlineDpi, box: 'bleed', pixels: outlinePixels });
  return inkContours(await render().plates(page.number, { dpi, box: 'bleed' }), page, settings);
}

/** Whether a page has a shape in a spot colour. */
function isUsedOn(file: PdfFile, page: PageFacts, name: string): boolean {
  let isUsed = false;
  interpretPage(file, page.number, [
    {
      paint({ paints, state }) {
        const used = [...(paints === 'stroke' ? [] : [state.fill]), ...(paints === 'fill' ? [] : [state.stroke])];
        isUsed ||= used.some(({ space }) => colorantsOf(space).includes(name));
      },
    },
  ]);
  return isUsed;
}

/** Writes the contours of a page; ink, layer and graphics state are objects that all pages share. */
function drawing(context: Context, spot: SpotInk, tag: string) {
  const { settings, edit, file, log, declare, warn } = context;
  let shared: { state: number; layer: number | null } | null = null;
  const makeShared = () => {
    const isAllowed = !isWithoutLayers(file);
    if (settings.layer && !isAllowed) warn('noLayer');
    const step = { group: 'Structural', type: 'Cutting' };
    return {
      state: edit.add(pdfDict({ OP: true, op: true, OPM: 1 })),
      layer: settings.layer && isAllowed ? stepLayer(edit, settings.spotName, step) : null,
    };
  };
  return (page: PageFacts, contours: readonly Contour[]): void => {
    shared ??= makeShared();
    const [state = ''] = addResources(edit, page, [{ kind: 'ExtGState', value: pdfRef(shared.state), hint: 'Cut' }]);
    const layer =
      shared.layer === null
        ? null
        : addResources(edit, page, [{ kind: 'Properties', value: pdfRef(shared.layer), hint: 'Cut' }])[0];
    const weight = settings.weight / page.userUnit;
    const [open, close] = layer === null ? ['', ''] : [`/OC /${layer} BDC\n`, 'EMC\n'];
    wrapContent(edit, page, {
      before: 'q\n',
      after:
        `\nQ\n/Artifact <</Type/Pagination/Subtype/${tag}>> BDC\n${open}q /${state} gs /${spot.on(page)} CS 1 SCN ` +
        `${numberText(Number(weight.toFixed(4)))} w 0 J 1 j [] 0 d\n` +
        `${contours.map(({ path }) => `${path}S\n`).join('')}Q\n${close}EMC\n`,
    });
    for (const { box, pieces } of contours) {
      log({
        what: 'contour',
        page: page.number,
        before: null,
        after: settings.spotName,
        parameter: 'from',
        box: tidyBox(box),
        looksSame: true,
      });
      for (const [x0, y0, x1, y1] of pieces) declare(page.number, [x0 - weight, y0 - weight, x1 + weight, y1 + weight]);
      if (!covers(page.effective.media, box)) warn('outside', { page: page.number });
    }
  };
}
