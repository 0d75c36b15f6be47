import { area as areaOf, type ImageFacts, overlap, type Rect, readSamples } from '@pdf2press/pdf';
import { type ImageObject, referenceOf } from '../../reading/scene.ts';
import { checkRunner } from '../runner.ts';
import { lettersIn } from './letters.ts';

type Key = 'TextInPictures';

/** A picture whose pixels are to be looked at; the data that passes between threads. */
interface Candidate {
  image: ImageFacts;
  ppi: number;
  box: Rect;
  name: string;
  objectRef: string;
}
interface Found {
  candidates: Candidate[];
  /** Whether there is type on the page that prints. */
  hasType: boolean;
  /** Percent of the trim that the pictures cover; where they lie over each other it counts twice. */
  covered: number;
}

/** Pixels of a picture that is decoded: an A3 page at 450 ppi. */
const mostPixels = 40_000_000;
/** Points: six letters of 6 pt beside each other. */
const leastWidth = 20;

export const textInPicturesRunner = checkRunner<Key>()<Found>({
  page({ area, settings }) {
    const found: Found = { candidates: [], hasType: false, covered: 0 };
    const trim = Math.max(1e-9, areaOf(area.trim));
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph) return;
        if (object.type === 'text') found.hasType = true;
        if (object.type !== 'image') return;
        found.covered += (areaOf(overlap(object.box, area.trim)) / trim) * 100;
        if (mayShowText(object, area.scale, settings.ignoreAbove)) found.candidates.push(candidateOf(object));
      },
      end: () => found,
    };
  },
  async document({ file, report, settings, signal }, pages) {
    const known = new Map<number, number>();
    let most = 0;
    for (const { page, found } of pages)
      for (const { image, ppi, box, name, objectRef } of found?.candidates ?? []) {
        signal.throwIfAborted();
        const letters = known.get(image.object) ?? (await lettersOf(image, ppi));
        known.set(image.object, letters);
        most = Math.max(most, letters);
        if (letters < settings.letters) continue;
        const isScan = !found?.hasType && (found?.covered ?? 0) >= settings.coverAtLeast;
        report({
          rule: isScan ? 'scannedPage' : 'text',
          page,
          objectType: 'image',
          objectRef,
          resourceName: name,
          box,
          measured: { value: Math.round(ppi), unit: 'ppi' },
          params: { letters },
        });
      }
    return { mostLetters: most };

    async function lettersOf(image: ImageFacts, ppi: number): Promise<number> {
      const samples = await readSamples(file, image);
      return samples ? lettersIn(samples, ppi) : 0;
    }
  },
});

const ppiOf = ({ event }: ImageObject): number => Math.max(event.ppi.x, event.ppi.y);

/** A picture with tones that is large enough for a line of text and coarse enough to show it. A palette has no order of tones. */
function mayShowText(object: ImageObject, scale: number, ignoreAbove: number | null): boolean {
  const { image } = object.event;
  const ppi = ppiOf(object);
  if (!Number.isFinite(ppi) || (ignoreAbove !== null && ppi > ignoreAbove)) return false;
  if (image.object === 0 || image.width * image.height > mostPixels) return false;
  return (object.box[2] - object.box[0]) * scale >= leastWidth && image.space?.family !== 'Indexed';
}

const candidateOf = (object: ImageObject): Candidate => ({
  image: object.event.image,
  ppi: ppiOf(object),
  box: object.box,
  name: object.event.name,
  objectRef: referenceOf(object),
});
