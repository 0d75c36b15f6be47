import { type ImageFacts, jpegGrade, type PdfFile, type Rect, readSamples } from '@pdf2press/pdf';
import { type ImageObject, referenceOf } from '../../reading/scene.ts';
import { checkRunner, type PageContext } from '../runner.ts';
import { blockiness } from './blocks.ts';

type Key = 'JpegQuality';

/** A picture whose pixels are to be looked at; the data that passes between threads. */
interface Candidate {
  image: ImageFacts;
  ppi: number;
  page: number;
  box: Rect;
  name: string;
  objectRef: string;
}
interface Found {
  lowest: number | null;
  candidates: Candidate[];
}

/**
 * From this on the edges of blocks are seen. Photographs that were saved once reach it at a quality of 25 to 45 of 100, by
 * how much they have to hide them in; at 75 and more they have 1 to 2, and 1 to 1.5 without compression.
 */
const visibleBlocks = 3;

/** Pixels of a picture that is decoded: an A3 page at 450 ppi. */
const mostPixels = 40_000_000;

export const jpegQualityRunner = checkRunner<Key>()<Found>({
  page(context) {
    const found: Found = { lowest: null, candidates: [] };
    const looksAtPixels = context.settings.findBlocking && context.isOn('blocking');
    return {
      object(object) {
        if (object.type !== 'image' || object.hidden !== null || object.inGlyph || !isJudged(context, object)) return;
        const grade = gradeOf(context.file, object.event.image);
        if (grade !== null) found.lowest = Math.min(found.lowest ?? grade, grade);
        const isLow = grade !== null && judgeGrade(context, object, grade);
        if (!isLow && looksAtPixels && mayHaveBlocks(object.event.image))
          found.candidates.push({
            image: object.event.image,
            ppi: ppiOf(object),
            page: context.page.number,
            box: object.box,
            name: object.event.name,
            objectRef: referenceOf(object),
          });
      },
      end: () => found,
    };
  },
  async document({ file, report, signal }, pages) {
    const lowest = pages.flatMap(({ found }) => found?.lowest ?? []);
    for (const { image, page, box, name, objectRef, ppi } of largestOf(
      pages.flatMap(({ found }) => found?.candidates ?? []),
    )) {
      signal.throwIfAborted();
      const samples = await readSamples(file, image);
      const measured = samples ? blockiness(samples) : 1;
      if (measured < visibleBlocks) continue;
      report({
        rule: 'blocking',
        page,
        objectType: 'image',
        objectRef,
        resourceName: name,
        box,
        measured: { value: Math.round(measured * 10) / 10 },
        limit: { value: visibleBlocks, op: '<' },
        params: { width: image.width, height: image.height, ppi: Math.round(ppi) },
      });
    }
    return { lowestQuality: lowest.length > 0 ? Math.min(...lowest) : null };
  },
});

/** Resolution at which a picture is shown; the finer one of its axes, in which blocks are smallest. */
const ppiOf = ({ event }: ImageObject): number => Math.max(event.ppi.x, event.ppi.y);

function isJudged({ settings, profile }: PageContext<Key>, object: ImageObject): boolean {
  const { image } = object.event;
  if (image.isStencil || Math.min(image.width, image.height) < settings.ignoreSmallerThanPx) return false;
  const factor = profile.scaleFactor / (profile.viewingDistanceM ?? 1);
  return settings.ignoreAbove === null || ppiOf(object) <= settings.ignoreAbove * factor;
}

const grades = new WeakMap<PdfFile, Map<number, number | null>>();

/** The quality that the JPEG data of a picture were saved with; null for other data. Read once for each picture. */
function gradeOf(file: PdfFile, { object, encoding }: ImageFacts): number | null {
  if (encoding !== 'DCT' || object === 0) return null;
  const known = grades.get(file) ?? new Map<number, number | null>();
  grades.set(file, known);
  let grade = known.get(object);
  if (grade === undefined) {
    grade = gradeWithin(file, object, usualHead);
    known.set(object, grade);
  }
  return grade;
}

/** The tables lie before the pixels, mostly in the first bytes; profiles and thumbnails may come before them. */
const usualHead = 65_536;

/** The quality by the first bytes of JPEG data, and by all of them where the first say nothing of it. */
function gradeWithin(file: PdfFile, object: number, most?: number): number | null {
  let grade: number | null = null;
  let isCut = false;
  file.borrowStream(
    object,
    (bytes) => {
      grade = jpegGrade(bytes)?.quality ?? null;
      isCut = bytes.length === most && bytes[0] === 0xff && bytes[1] === 0xd8;
    },
    most,
  );
  return grade === null && isCut ? gradeWithin(file, object) : grade;
}

/** Reports a quality below a limit. @returns whether it is below one */
function judgeGrade({ settings, report }: PageContext<Key>, object: ImageObject, grade: number): boolean {
  const { failBelow, warnBelow } = settings.quality;
  const limits = [
    ['Fail', failBelow],
    ['Warn', warnBelow],
  ] as const;
  const broken = limits.find(([, limit]) => limit !== null && grade < limit);
  if (!broken || broken[1] === null) return false;
  report({
    rule: 'low',
    severity: broken[0],
    object,
    resourceName: object.event.name,
    measured: { value: grade },
    limit: { value: broken[1], op: '>=' },
    params: { width: object.event.image.width, height: object.event.image.height, ppi: Math.round(ppiOf(object)) },
  });
  return true;
}

/** Continuous tone that was, or may have been, a JPEG. A palette has no tones between which a small step could lie. */
const mayHaveBlocks = ({ object, space, bitsPerComponent, width, height, encoding }: ImageFacts): boolean =>
  object !== 0 &&
  encoding !== 'JPX' &&
  bitsPerComponent === 8 &&
  space?.family !== 'Indexed' &&
  width * height <= mostPixels;

/** Each picture once, where it is shown largest. */
function largestOf(candidates: readonly Candidate[]): Candidate[] {
  const largest = new Map<number, Candidate>();
  for (const one of candidates) {
    const known = largest.get(one.image.object);
    if (!known || one.ppi < known.ppi) largest.set(one.image.object, one);
  }
  return [...largest.values()];
}
