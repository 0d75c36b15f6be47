/** Tiles for the page viewer, at several resolutions: a colour picture and one grey picture per ink. */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionPage } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import type { ColourService } from '../colour/colour-service.ts';
import type { PageFacts } from '../open/page-facts.ts';
import { lineInks } from './line-inks.ts';
import { lineLayers } from './line-layers.ts';
import { fittingDpi, pageFrame } from './page-frame.ts';
import { encodePicture, resizePicture } from './pictures.ts';
import { inkHex, type PagePlates } from './plates.ts';
import type { Raster } from './preview.ts';
import type { PlateOptions, RenderService } from './render-service.ts';
import { softProof } from './soft-proof.ts';

export interface TileOptions {
  /** Page number from 1. */
  page: number;
  /** Directory of the page; tiles are written to `<layer>/<dpi>/<x>_<y>.webp` in it. */
  directory: string;
  /** Resolutions to write. Default: all that suit the page. */
  dpis?: readonly number[] | undefined;
  /** Whether to write a grey picture per ink, for single plates, total ink and the densitometer. Default true. */
  inks?: boolean | undefined;
}

const tileSize = 512;
const levelDpis = [36, 72, 150, 300] as const;
/**
 * Limit for one level. A4 at 300 dpi has 8.7 million pixels; larger pages get lower resolutions, so that no page costs
 * more than five times that.
 */
const levelPixels = 45_000_000;
/** Amounts of an ink whose colours are told, so that a viewer shows its tints as the press prints them. */
const tintSteps = Array.from({ length: 17 }, (_, step) => step / 16);
/** Number of tiles encoded at the same time. */
const inFlight = 4;

/** The resolutions for a page: the usual ones within the pixel limit, at least one. */
export function levelsOf(facts: PageFacts): SessionPage['levels'] {
  const highest = Math.max(1, Math.floor(fittingDpi(facts, { dpi: 300, box: 'crop', pixels: levelPixels })));
  const dpis = levelDpis.filter((dpi) => dpi <= highest);
  return (dpis.length > 0 ? dpis : [highest]).map((dpi) => {
    const { width, height } = pageFrame(facts, { dpi, box: 'crop' });
    return { dpi, width, height, tile: tileSize };
  });
}

/**
 * Writes the tiles of one page as printed (plates with overprint, through the press profile), the same without lines for
 * finishing where it has such, and `page.json` with the data that a viewer needs. A page that cannot be separated is shown as an RGB preview without inks.
 * @returns the content of `page.json`; all pictures cover the CropBox
 * @throws FileFaultError SETTINGS_INVALID {what: 'page', page}, PDF_LIMIT_PIXELS, PDF_CRASH, PDF_MEMORY
 */
export async function writeTiles(
  render: RenderService,
  colour: ColourService,
  options: TileOptions,
): Promise<SessionPage> {
  const facts = render.file.pages[options.page - 1];
  if (!facts) throw new FileFaultError('SETTINGS_INVALID', { what: 'page', page: options.page });
  const levels = levelsOf(facts);
  const wanted = levels.filter((level) => options.dpis?.includes(level.dpi) ?? true);
  const top = wanted.at(-1)?.dpi ?? levels[0]?.dpi ?? 72;
  // Plates have hard edges, so levels below the highest are drawn larger and reduced.
  const drawn = levels.findLast((level) => level.dpi <= top * 2)?.dpi ?? top;
  const plates = await separated(render, options.page, drawn);
  const raster = plates ? softProof(plates, colour) : render.preview(options.page, { dpi: drawn, box: 'crop' });
  await writeLayer(raster, wanted, path.join(options.directory, 'rgb'), false);
  const { lines, art } = plates ? await withoutLines(render, plates, colour) : { lines: [], art: null };
  if (art) await writeLayer(art, wanted, path.join(options.directory, 'art'), false);
  if (plates && options.inks !== false) {
    for (const [index, ink] of plates.inks.entries()) {
      const grey: Pixels = { width: plates.width, height: plates.height, channels: 1, pixels: plates.plate(ink.id) };
      await writeLayer(grey, wanted, path.join(options.directory, `ink-${index}`), true);
    }
  }
  const page = { ...describe(facts, levels, plates, colour), ...(lines.length > 0 && { lines }) };
  await writeFile(path.join(options.directory, 'page.json'), JSON.stringify(page));
  return page;
}

const spotsOf = ({ inks }: PagePlates): string[] =>
  inks.flatMap(({ kind, name }) => (kind === 'process' ? [] : [name]));

/**
 * The page without its lines for finishing, and the names of the inks and layers that they are: inks are left out of its plates;
 * of layers in other inks it is separated again. `art` null = there are no lines.
 */
async function withoutLines(
  render: RenderService,
  plates: PagePlates,
  colour: ColourService,
): Promise<{ lines: string[]; art: Raster | null }> {
  const { page, dpi } = plates;
  const inks = lineInks(render.file, page, spotsOf(plates));
  const layers = lineLayers(render.file, page, inks);
  const hiddenLayers = layers.map(({ object }) => object);
  const hidden = layers.length > 0 ? await separated(render, page, dpi, { hiddenLayers }) : null;
  const lines = [...inks, ...(hidden ? layers.map(({ name }) => name) : [])];
  return { lines, art: lines.length > 0 ? softProof(hidden ?? plates, colour, inks) : null };
}

/** The plates of a page; null for one that cannot be separated, which is shown as an RGB preview. */
export async function separated(
  render: RenderService,
  page: number,
  dpi: number,
  layers: Pick<PlateOptions, 'hiddenLayers'> = {},
): Promise<PagePlates | null> {
  try {
    return await render.plates(page, { dpi, box: 'crop', ...layers });
  } catch (error) {
    if (error instanceof FileFaultError && error.code === 'PDF_DAMAGED') return null;
    throw error;
  }
}

function describe(
  facts: PageFacts,
  levels: SessionPage['levels'],
  plates: PagePlates | null,
  colour: ColourService,
): SessionPage {
  const [x0, y0, x1, y1] = facts.effective.crop;
  const isSideways = facts.rotate === 90 || facts.rotate === 270;
  const [width, height] = isSideways ? [y1 - y0, x1 - x0] : [x1 - x0, y1 - y0];
  const { media, crop, bleed, trim, art } = facts.effective;
  return {
    page: facts.number,
    label: facts.label || null,
    widthPt: width * facts.userUnit,
    heightPt: height * facts.userUnit,
    rotate: facts.rotate,
    userUnit: facts.userUnit,
    boxes: { media: [...media], crop: [...crop], bleed: [...bleed], trim: [...trim], art: [...art] },
    inks: (plates?.inks ?? []).map((ink, id) => ({
      id,
      name: ink.name,
      hex: inkHex(ink, colour, plates?.profile),
      tints: tintSteps.map((amount) => inkHex(ink, colour, plates?.profile, amount)),
      isProcess: ink.kind === 'process',
    })),
    levels,
    isReady: true,
  };
}

type Pixels = Pick<Raster, 'width' | 'height' | 'channels' | 'pixels'>;

async function writeLayer(
  raster: Pixels,
  levels: SessionPage['levels'],
  directory: string,
  lossless: boolean,
): Promise<void> {
  let source = raster;
  // From the largest level down, each made from the one before: half the work of starting from the largest each time.
  for (const level of [...levels].sort((a, b) => b.dpi - a.dpi)) {
    if (source.width !== level.width || source.height !== level.height) {
      source = await resizePicture(source, level.width, level.height);
    }
    const folder = path.join(directory, String(level.dpi));
    mkdirSync(folder, { recursive: true });
    await writeLevel(source, folder, lossless);
  }
}

async function writeLevel(raster: Pixels, folder: string, lossless: boolean): Promise<void> {
  // Much of a page is blank, so identical one-colour tiles are encoded once.
  const plain = new Map<string, Promise<Buffer>>();
  const encode = (tile: Pixels): Promise<Buffer> => encodePicture(tile, { format: 'webp', lossless, quality: 86 });
  const tiles: { x: number; y: number }[] = [];
  for (let y = 0; y * tileSize < raster.height; y += 1) {
    for (let x = 0; x * tileSize < raster.width; x += 1) tiles.push({ x, y });
  }
  const work = async (): Promise<void> => {
    for (let next = tiles.pop(); next; next = tiles.pop()) {
      const tile = cut(raster, next.x * tileSize, next.y * tileSize);
      const key = plainKey(tile);
      const known = key === null ? undefined : plain.get(key);
      const encoded = known ?? encode(tile);
      if (key !== null) plain.set(key, encoded);
      await writeFile(path.join(folder, `${next.x}_${next.y}.webp`), await encoded);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
}

function cut(raster: Pixels, left: number, top: number): Pixels {
  const width = Math.min(tileSize, raster.width - left);
  const height = Math.min(tileSize, raster.height - top);
  const { channels } = raster;
  const pixels = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    const start = ((top + y) * raster.width + left) * channels;
    pixels.set(raster.pixels.subarray(start, start + width * channels), y * width * channels);
  }
  return { width, height, channels, pixels };
}

/** A key of size and colour for a tile of one colour; null for other tiles. */
function plainKey({ width, height, channels, pixels }: Pixels): string | null {
  for (let index = channels; index < pixels.length; index += 1) {
    if (pixels[index] !== pixels[index - channels]) return null;
  }
  return `${width} ${height} ${pixels.subarray(0, channels)}`;
}
