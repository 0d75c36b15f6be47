import type { PageFacts, PdfFile, Rect } from '@pdf2press/pdf';
import { grow, overlap, trimFromMarks } from '@pdf2press/pdf';
import type { BoxPolicy } from './profile-frame.ts';

export type TrimSource = 'TrimBox' | 'Marks' | 'Crop' | 'Media';

/** The areas of a page under the box policy of a profile, in default user space. */
export interface PageArea {
  trim: Rect;
  /** The BleedBox; without one, the trim. */
  bleed: Rect;
  media: Rect;
  trimSource: TrimSource;
  /** UserUnit: points on paper per unit of default user space. */
  scale: number;
  rotate: 0 | 90 | 180 | 270;
  /** Objects outside count as hidden. The trim with 3 mm around it and the BleedBox, within the MediaBox. */
  job: Rect;
}

/** 3 mm in points: a common bleed, for pages without a BleedBox. */
const usualBleed = 8.504;

/** The areas of a page, in default user space; the trim is chosen by the box policy. */
export function pageArea(file: PdfFile, page: PageFacts, policy: BoxPolicy): PageArea {
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

/** TrimBox, else the frame of the crop marks if the policy asks for it, else CropBox or MediaBox. */
function trimOf(
  file: PdfFile,
  page: PageFacts,
  { inferFromMarks, trimFallback }: BoxPolicy,
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
