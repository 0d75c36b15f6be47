/** A copy of a file whose pages are pictures of low resolution: it shows what prints, and cannot be printed from. */
import { FileFaultError } from '@pdf2press/contract/faults';
import type { ColourService } from '../colour/colour-service.ts';
import type { PageFacts } from '../open/page-facts.ts';
import { fittingDpi } from '../render/page-frame.ts';
import { encodePicture, resizePicture, savePicture } from '../render/pictures.ts';
import type { Raster } from '../render/preview.ts';
import type { RenderService } from '../render/render-service.ts';
import { softProof } from '../render/soft-proof.ts';
import { separated } from '../render/tiles.ts';
import { createWatermark } from '../render/watermark.ts';
import { createPdfWriter, type PdfWriter } from '../write/pdf-writer.ts';
import { numberText } from '../write/value-text.ts';

export interface PictureCopyOptions {
  path: string;
  /** Pixels per inch. Larger pages get fewer. */
  dpi: number;
  /** One line that is drawn into every page; empty = none. */
  watermark: string;
  onPage?: (done: number) => void;
}

/** Of one page: a little more than A4 has at 300 ppi. A2 gets 152 ppi, and an A0 poster 76. */
const pagePixels = 9_000_000;
/** Plates have hard edges: they are drawn so much larger, and reduced. */
const larger = 2;
/** Longest page side that PDF readers must support, in points (ISO 32000-1, annex C). */
const longestPage = 14_400;

const quality = 80;
const n = (value: number): string => numberText(Math.round(value * 1e4) / 1e4);

/**
 * Writes a PDF with one picture for each page, as it prints (plates with overprint, through the press profile) and as
 * large as its CropBox. Pages are drawn and written one after the other. One that cannot be drawn is crossed out, whatever
 * the reason: the others are of use all the same.
 * @throws FileFaultError PDF_LIMIT_OUTPUT
 */
export async function writePictureCopy(
  render: RenderService,
  colour: ColourService,
  { path, dpi, watermark, onPage }: PictureCopyOptions,
): Promise<void> {
  const words = createWatermark(watermark);
  const writer = createPdfWriter({ path, version: '1.6' });
  try {
    const tree = writer.reserve();
    const root = writer.reserve();
    const kids: number[] = [];
    const wanted = render.file.pages.map((facts) => ({
      facts,
      dpi: fittingDpi(facts, { dpi, box: 'crop', pixels: pagePixels }),
    }));
    for (const each of new Set(wanted.map((page) => page.dpi)))
      render.expectPlates(
        wanted.filter((page) => page.dpi === each).map(({ facts }) => facts.number),
        { dpi: each * larger, box: 'crop' },
      );
    for (const page of wanted) {
      const raster = await drawn(render, colour, page.facts.number, page.dpi);
      if (raster) words.drawInto(raster);
      kids.push(await writePage(writer, tree, page.facts, raster));
      onPage?.(kids.length);
    }
    writer.object(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((num) => `${num} 0 R`).join(' ')}]>>`);
    writer.object(root, `<</Type/Catalog/Pages ${tree} 0 R>>`);
    writer.finish({ root });
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    words.close();
  }
}

/**
 * Saves a picture of one page, as it prints, as JPEG with a line of words. False, and no file, for a page that cannot be drawn.
 * @param dpi pixels per inch; larger pages get fewer
 */
export async function writePagePicture(
  render: RenderService,
  colour: ColourService,
  { path, page, dpi, watermark }: Pick<PictureCopyOptions, 'path' | 'dpi' | 'watermark'> & { page: number },
): Promise<boolean> {
  const facts = render.file.pages[page - 1];
  if (!facts) return false;
  const fitting = fittingDpi(facts, { dpi, box: 'crop', pixels: pagePixels });
  render.expectPlates([page], { dpi: fitting * larger, box: 'crop' });
  const raster = await drawn(render, colour, page, fitting);
  if (!raster) return false;
  const words = createWatermark(watermark);
  try {
    words.drawInto(raster);
  } finally {
    words.close();
  }
  await savePicture(raster, path, { format: 'jpeg', quality, dpi: fitting });
  return true;
}

/** Null for a page that cannot be drawn. */
async function drawn(render: RenderService, colour: ColourService, page: number, dpi: number): Promise<Raster | null> {
  try {
    const plates = await separated(render, page, dpi * larger);
    if (plates) {
      const raster = softProof(plates, colour);
      const { width, height } = render.frame(page, { dpi, box: 'crop' });
      return { ...raster, ...(await resizePicture(raster, width, height)) };
    }
    const raster = render.preview(page, { dpi, box: 'crop' });
    // The words are drawn into the pixels, and the service keeps those.
    return { ...raster, pixels: raster.pixels.slice() };
  } catch (error) {
    if (error instanceof FileFaultError) return null;
    throw error;
  }
}

/** Width and height of the CropBox in points, as the page is read. */
function sidesOf({ effective, rotate, userUnit }: PageFacts): [width: number, height: number] {
  const [x0, y0, x1, y1] = effective.crop;
  const scale = Math.min(userUnit, longestPage / Math.max(x1 - x0, y1 - y0));
  const [width, height] = [(x1 - x0) * scale, (y1 - y0) * scale];
  return rotate % 180 === 0 ? [width, height] : [height, width];
}

async function writePage(writer: PdfWriter, tree: number, facts: PageFacts, raster: Raster | null): Promise<number> {
  const [width, height] = sidesOf(facts);
  const [page, content] = [writer.reserve(), writer.reserve()];
  let resources = '';
  if (raster) {
    const image = writer.reserve();
    writer.stream(
      image,
      `/Type/XObject/Subtype/Image/Width ${raster.width}/Height ${raster.height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`,
      await encodePicture(raster, { format: 'jpeg', quality }),
    );
    resources = `/XObject<</Im ${image} 0 R>>`;
  }
  const operators = raster
    ? `q ${n(width)} 0 0 ${n(height)} 0 0 cm /Im Do Q\n`
    : `0.6 G 2 w 0 0 m ${n(width)} ${n(height)} l 0 ${n(height)} m ${n(width)} 0 l S\n`;
  writer.stream(content, '', Buffer.from(operators));
  writer.object(
    page,
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${n(width)} ${n(height)}]/Resources<<${resources}>>/Contents ${content} 0 R>>`,
  );
  return page;
}
