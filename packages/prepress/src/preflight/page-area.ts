import type { PageFacts, PdfFile, Rect } from '@pdf2press/pdf';
import { grow, overlap } from './geometry.ts';
import type { PreflightProfile } from './profile.ts';
import { trimFromMarks } from './trim-from-marks.ts';

export type TrimSource = 'TrimBox' | 'Marks' | 'Crop' | 'Media';

/** The page's areas under the profile's box policy, default user space. One user unit is `scale` points on paper. */
export interface PageArea {
  trim: Rect;
  /** As declared, at least the trim. */
  bleed: Rect;
  media: Rect;
  trimSource: TrimSource;
  /** UserUnit: multiply lengths in default user space by it to get points on paper. */
  scale: number;
  rotate: 0 | 90 | 180 | 270;
  /** What is looked at: objects outside are no objects of the job. Trim with its bleed, or with 3 mm where none is declared. */
  job: Rect;
}

/** 3 mm: the usual bleed, taken where the page declares none (preflight specification §1.6). */
const usualBleed = 8.504;

export function pageArea(file: PdfFile, page: PageFacts, policy: PreflightProfile['boxPolicy']): PageArea {
  const { effective, boxes } = page;
  const { trim, trimSource } = trimOf(file, page, policy);
  const bleed = boxes.bleed ? effective.bleed : trim;
  const by = usualBleed / page.userUnit;
  const around = grow(trim, { left: by, right: by, top: by, bottom: by });
  const job: Rect = [
    Math.min(bleed[0], around[0]),
    Math.min(bleed[1], around[1]),
    Math.max(bleed[2], around[2]),
    Math.max(bleed[3], around[3]),
  ];
  return {
    trim,
    bleed,
    media: effective.media,
    trimSource,
    scale: page.userUnit,
    rotate: page.rotate,
    job: overlap(job, effective.media),
  };
}

const marked = new WeakMap<PageFacts, Rect | null>();

/** TrimBox, else crop marks where the policy looks for them, else CropBox or MediaBox (preflight specification §1.1). */
function trimOf(
  file: PdfFile,
  page: PageFacts,
  { inferFromMarks, trimFallback }: PreflightProfile['boxPolicy'],
): Pick<PageArea, 'trim' | 'trimSource'> {
  const { effective, boxes } = page;
  if (boxes.trim) return { trim: effective.trim, trimSource: 'TrimBox' };
  if (inferFromMarks) {
    let trim = marked.get(page);
    if (trim === undefined) {
      trim = trimFromMarks(file, page);
      marked.set(page, trim);
    }
    if (trim) return { trim, trimSource: 'Marks' };
  }
  return trimFallback === 'Crop' && boxes.crop
    ? { trim: effective.crop, trimSource: 'Crop' }
    : { trim: effective.media, trimSource: 'Media' };
}
