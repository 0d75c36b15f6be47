/** Rasters for the page viewer: levels of resolution cut into tiles, in colour and per ink. */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionPage } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import type { ColourService } from '../colour/colour-service.ts';
import type { PageFacts } from '../open/pdf-file.ts';
import { fittingDpi, pageFrame } from './page-frame.ts';
import { encodePicture, resizePicture } from './pictures.ts';
import { inkHex, type PagePlates } from './plates.ts';
import type { Raster } from './preview.ts';
import type { RenderService } from './render-service.ts';
import { softProof } from './soft-proof.ts';

export interface TileOptions {
  /** 1-based. */
  page: number;
  /** The page's own directory; tiles go to `<layer>/<dpi>/<x>_<y>.webp` in it. */
  directory: string;
  /** Only these levels. Default: all that suit the page. */
  dpis?: readonly number[] | undefined;
  /** Default true: a grey picture per ink, for single plates, total ink and the densitometer. */
  inks?: boolean | undefined;
}

const tileSize = 512;
const levelDpis = [36, 72, 150, 300] as const;
/** A4 at 300 dpi is 8.7 Mpx; a poster is shown at less, so that no page costs more than five of those. */
const levelPixels = 45_000_000;
/** Pictures encoded at a time. */
const inFlight = 4;

/** The resolutions that suit a page: the usual ones, as long as a raster stays bounded; at least one. */
export function levelsOf(facts: PageFacts): SessionPage['levels'] {
  const highest = Math.max(1, Math.floor(fittingDpi(facts, { dpi: 300, box: 'crop', pixels: levelPixels })));
  const dpis = levelDpis.filter((dpi) => dpi <= highest);
  return (dpis.length > 0 ? dpis : [highest]).map((dpi) => {
    const { width, height } = pageFrame(facts, { dpi, box: 'crop' });
    return { dpi, width, height, tile: tileSize };
  });
}

/**
 * Makes the tiles of one page, as it prints (plates with overprint, through the press profile), and writes `page.json` with
 * what a viewer must know. A page that cannot be separated is shown as a screen shows it, without inks.
 * @returns the contents of `page.json`; rasters span the CropBox.
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
  // Plates have hard edges: what is not the highest level is drawn larger and averaged.
  const drawn = levels.findLast((level) => level.dpi <= top * 2)?.dpi ?? top;
  const plates = await separated(render, options.page, drawn);
  const raster = plates ? softProof(plates, colour) : render.preview(options.page, { dpi: drawn, box: 'crop' });
  await writeLayer(raster, wanted, path.join(options.directory, 'rgb'), false);
  if (plates && options.inks !== false) {
    for (const [index, ink] of plates.inks.entries()) {
      const grey: Pixels = { width: plates.width, height: plates.height, channels: 1, pixels: plates.plate(ink.id) };
      await writeLayer(grey, wanted, path.join(options.directory, `ink-${index}`), true);
    }
  }
  const page = describe(facts, levels, plates, colour);
  await writeFile(path.join(options.directory, 'page.json'), JSON.stringify(page));
  return page;
}

async function separated(render: RenderService, page: number, dpi: number): Promise<PagePlates | null> {
  try {
    return await render.plates(page, { dpi, box: 'crop' });
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
  // From the largest down, each made from the one before: half the work of starting afresh.
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
  // Much of a page is plain paper: tiles of one colour are encoded once.
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

/** Size and colour of a tile of one colour; null for any other. */
function plainKey({ width, height, channels, pixels }: Pixels): string | null {
  for (let index = channels; index < pixels.length; index += 1) {
    if (pixels[index] !== pixels[index - channels]) return null;
  }
  return `${width} ${height} ${pixels.subarray(0, channels)}`;
}
