/** Small pictures of the place of a finding for the report: one preview, or for overprint two proofs, with and without it. */
import type { Finding } from '@pdf2press/contract';
import {
  type ColourService,
  clippedFrame,
  createColourService,
  encodePicture,
  fittingDpi,
  type PageFacts,
  type Raster,
  type Rect,
  type RenderService,
  softProof,
} from '@pdf2press/pdf';

export interface FindingPicture {
  /** Code of the caption in reports/messages; null without a caption. */
  caption: 'withOverprint' | 'withoutOverprint' | null;
  raster: Raster;
  /** JPEG. */
  bytes: Uint8Array;
}

export interface PictureMaker {
  /** Empty when the finding has no box, the box fills most of the page, or the page cannot be drawn. */
  picturesOf: (finding: Finding) => Promise<readonly FindingPicture[]>;
  close: () => void;
}

/** Pixels of the longer side, and the highest resolution in dpi. */
const side = 400;
const finest = 300;
/** The default resolution of the bleed check, at which plates of the page may already exist. */
const plateDpi = 150;
/** A box that fills a larger share of the page gets no picture; the picture of the page shows it. */
const mostOfPage = 0.4;

/** The box enlarged by its surroundings, default user space; null if it is empty or fills too much of the page. */
function surroundings(box: Rect, page: PageFacts): Rect | null {
  const [left, bottom, right, top] = page.effective.media;
  const around = Math.max(12, 0.3 * Math.max(box[2] - box[0], box[3] - box[1]));
  const clip: Rect = [
    Math.max(left, box[0] - around),
    Math.max(bottom, box[1] - around),
    Math.min(right, box[2] + around),
    Math.min(top, box[3] + around),
  ];
  const [width, height] = [clip[2] - clip[0], clip[3] - clip[1]];
  const share = (width * height) / Math.max(1, (right - left) * (top - bottom));
  return width > 0 && height > 0 && share <= mostOfPage ? clip : null;
}

/** Makes the pictures of findings; `close` frees the colour service. */
export function createPictureMaker(render: RenderService): PictureMaker {
  let colour: ColourService | null = null;
  /** Proofs of the last page, kept because findings are sorted by page. */
  let proofs: { page: number; rasters: readonly [Raster, Raster] } | null = null;

  async function proofsOf(page: PageFacts): Promise<readonly [Raster, Raster]> {
    if (proofs?.page === page.number) return proofs.rasters;
    colour ??= await createColourService();
    const options = { dpi: fittingDpi(page, { dpi: plateDpi, box: 'media' }), layers: 'view' } as const;
    const rasters = [
      softProof(await render.plates(page.number, options), colour),
      softProof(await render.plates(page.number, { ...options, overprint: false }), colour),
    ] as const;
    proofs = { page: page.number, rasters };
    return rasters;
  }

  async function draw(finding: Finding, page: PageFacts, clip: Rect): Promise<FindingPicture[]> {
    if (finding.checkKey === 'OverPrint') {
      const [on, off] = await proofsOf(page);
      return [await encoded(cropped(on, clip), 'withOverprint'), await encoded(cropped(off, clip), 'withoutOverprint')];
    }
    const longest = Math.max(clip[2] - clip[0], clip[3] - clip[1]) * page.userUnit;
    const dpi = Math.min(finest, (side * 72) / longest);
    const bounded = fittingDpi(page, { dpi, box: 'media' });
    return [await encoded(render.preview(page.number, { dpi: bounded, box: 'media', clip }), null)];
  }

  return {
    async picturesOf(finding) {
      const page = finding.page === null ? undefined : render.file.pages[finding.page - 1];
      const clip = page && finding.box && surroundings(finding.box, page);
      if (!page || !clip) return [];
      try {
        return await draw(finding, page, clip);
      } catch {
        // The report shows the finding without a picture.
        return [];
      }
    },
    close: () => colour?.close(),
  };
}

async function encoded(raster: Raster, caption: FindingPicture['caption']): Promise<FindingPicture> {
  return { caption, raster, bytes: await encodePicture(raster, { format: 'jpeg', quality: 85 }) };
}

function cropped(raster: Raster, clip: Rect): Raster {
  const { frame, at } = clippedFrame(raster.frame, clip);
  const pixels = new Uint8Array(at.width * at.height * raster.channels);
  const row = at.width * raster.channels;
  for (let y = 0; y < at.height; y += 1) {
    const from = ((at.top + y) * raster.width + at.left) * raster.channels;
    pixels.set(raster.pixels.subarray(from, from + row), y * row);
  }
  return { ...raster, width: at.width, height: at.height, pixels, frame };
}
