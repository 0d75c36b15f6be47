/** Facts of a document, apart from its look, that an action may change only if its contract says so. */
import { createHash, type Hash } from 'node:crypto';
import {
  type BoxName,
  boxNames,
  colorantsOf,
  filterNames,
  type ImageFacts,
  interpretPage,
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PageFacts,
  type Paint,
  type PaintEvent,
  type PdfFile,
  type PdfValue,
  type TextEvent,
} from '@pdf2press/pdf';
import type { GuardedFact } from '../kind/define-fix.ts';

export type Facts = Partial<Record<GuardedFact, string>>;

const json = (value: unknown): string => JSON.stringify(value);
const rounded = (box: readonly number[] | null): readonly number[] | null =>
  box?.map((edge) => Math.round(edge * 100) / 100) ?? null;

/**
 * Hashes values together with everything they refer to. References are hashed by their target, so object numbers do not
 * matter.
 */
export function createFingerprints(file: PdfFile) {
  const known = new Map<number, string>();
  const inWork = new Set<number>();

  const ofReference = (num: number): string => {
    const found = known.get(num);
    if (found !== undefined) return found;
    // A circular reference adds nothing to the hash.
    if (inWork.has(num)) return 'circle';
    inWork.add(num);
    const hash = createHash('sha1');
    feed(hash, file.get(num));
    inWork.delete(num);
    const print = hash.digest('base64');
    known.set(num, print);
    // The hash is kept; the object itself would only use memory.
    file.release(num);
    return print;
  };

  const feed = (hash: Hash, value: PdfValue): void => {
    if (isRef(value)) {
      const target = file.get(value.num);
      // References to pages are not followed: they lead to the whole document.
      if (isDict(target) && (isName(target.map.get('Type'), 'Page') || isName(target.map.get('Type'), 'Pages')))
        hash.update('page');
      else hash.update(ofReference(value.num));
    } else if (isArray(value)) {
      hash.update('[');
      for (const entry of value) {
        feed(hash, entry);
        hash.update(' ');
      }
      hash.update(']');
    } else if (isDict(value)) {
      hash.update('<<');
      for (const key of [...value.map.keys()].sort()) {
        if (unseen.has(key)) continue;
        hash.update(`/${key} `);
        feed(hash, value.map.get(key) ?? null);
      }
      hash.update('>>');
      if (value.stream !== 0) feedStream(hash, value.stream, value.map.get('Length'));
    } else if (isName(value)) hash.update(`/${value.name}`);
    else if (isString(value)) hash.update(value.bytes);
    // MuPDF stores real numbers as 32-bit floats, so digits beyond the sixth get lost when a file is written.
    else hash.update(typeof value === 'number' ? value.toPrecision(6) : String(value));
  };

  /** Large streams are compared by their length only. */
  const feedStream = (hash: Hash, num: number, length: PdfValue | undefined): void => {
    const declared = file.resolve(length);
    const bytes = typeof declared === 'number' ? dataLength(file, { length: declared, object: num }) : 0;
    if (bytes > largeStream) hash.update(`stream ${bytes}`);
    else hash.update(file.rawStream(num));
  };

  return { ofReference, of: (value: PdfValue) => (isRef(value) ? ofReference(value.num) : printOf(value)) };

  function printOf(value: PdfValue): string {
    // Most pages have neither annotations nor a group.
    if (value === null) return 'null';
    const hash = createHash('sha1');
    feed(hash, value);
    return hash.digest('base64');
  }
}

/** Bytes. Reading larger streams would mean reading the whole file once more. */
const largeStream = 1 << 16;
const unseen = new Set([
  'Parent',
  'P',
  'StructParents',
  'StructParent',
  'Length',
  'ModDate',
  'LastModified',
  'B',
  'Thumb',
  'PieceInfo',
  'Popup',
  'Dest',
  'A',
  'AA',
  'Metadata',
]);
const pageKeys = ['Contents', 'Annots', 'Group'] as const;

/** One hash per page of content, resources, group and annotations, without boxes. */
export function pagePrints(file: PdfFile): string[] {
  const prints = createFingerprints(file);
  return file.pages.map((page) =>
    [
      ...pageKeys.map((key) => prints.of(page.dict.map.get(key) ?? null)),
      prints.of(page.dict.map.get('Resources') ?? page.resources),
    ].join(),
  );
}

/** Facts of the document that need no interpretation of content. */
export function documentFacts(file: PdfFile): Facts {
  return {
    pageCount: String(file.pageCount),
    boxes: json(
      file.pages.map((page) => [boxNames.map((name) => rounded(boxOf(page, name))), page.rotate, page.userUnit]),
    ),
    outputIntents: json(outputIntents(file)),
    layers: json(layerNames(file)),
    metadata: json(metadata(file)),
  };
}

/** A page without a MediaBox has the default one. */
const boxOf = (page: PageFacts, name: BoxName) => page.boxes[name] ?? (name === 'media' ? page.effective.media : null);

function outputIntents(file: PdfFile): unknown {
  const list = file.entry(file.catalog, 'OutputIntents');
  if (!isArray(list)) return [];
  return list.map((entry) => {
    const intent = file.resolve(entry);
    const text = isDict(intent) ? file.entry(intent, 'OutputConditionIdentifier') : null;
    return [
      isString(text) ? Buffer.from(text.bytes).toString('latin1') : '',
      isDict(intent) && intent.map.has('DestOutputProfile'),
    ];
  });
}

function layerNames(file: PdfFile): unknown {
  const properties = file.entry(file.catalog, 'OCProperties');
  const groups = isDict(properties) ? file.entry(properties, 'OCGs') : null;
  if (!isArray(groups)) return [];
  return groups.map((entry) => {
    const group = file.resolve(entry);
    const name = isDict(group) ? file.entry(group, 'Name') : null;
    return isString(name) ? Buffer.from(name.bytes).toString('latin1') : '';
  });
}

const changesWithEveryWrite = new Set(['ModDate', 'Producer']);

function metadata(file: PdfFile): unknown {
  const prints = createFingerprints(file);
  const info = file.info
    ? [...file.info.map]
        .filter(([key]) => !changesWithEveryWrite.has(key))
        .map(([key, value]) => [key, prints.of(value)])
    : [];
  return [info.sort(), file.catalog.map.has('Metadata'), prints.of(file.catalog.map.get('PageLabels') ?? null)];
}

/** Colorants that are not spots: process inks, and the names All and None. */
const process = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None']);

/**
 * Bytes of the encoded data of a stream. A stream with Length 0 that has data is a fault that writing the file corrects. What
 * an encrypted file declares includes the padding of the cipher, which is gone once the file is written.
 */
const dataLength = (file: PdfFile, { length, object }: Pick<ImageFacts, 'length' | 'object'>): number =>
  object > 0 && (length === 0 || file.encryption) ? file.rawStream(object).length : length;

/** Facts of a page's content: fonts, images and inks that are used, not those only defined. */
export function pageFacts(file: PdfFile, page: PageFacts): Facts {
  const spots = new Set<string>();
  const fonts = new Set<string>();
  const images: string[] = [];
  const texts = createHash('sha1');
  let overprints = 0;
  const overprinted = new Set<string>();
  const overprint = ({ space, values, pattern }: Paint, mode: number): void => {
    const shade = values.map((value) => Math.round(value * 1e3) / 1e3).join(' ');
    overprinted.add(`${colorantsOf(space).join(' ') || space.family} ${pattern ? 'pattern' : shade} ${mode}`);
  };
  const paint = (used: Paint): void => {
    for (const name of colorantsOf(used.space)) if (!process.has(name)) spots.add(name);
  };
  const noteOverprint = ({ paints, state }: TextEvent | PaintEvent): void => {
    if (paints !== 'stroke' && state.fillOverprint) overprint(state.fill, state.overprintMode);
    if (paints !== 'fill' && state.strokeOverprint) overprint(state.stroke, state.overprintMode);
  };
  interpretPage(file, page.number, [
    {
      text(event) {
        if (event.paints === 'none') return;
        if (event.paints !== 'stroke') paint(event.state.fill);
        if (event.paints !== 'fill') paint(event.state.stroke);
        if (event.state.fillOverprint) overprints += 1;
        // The paint events of Type 3 glyphs are counted instead.
        if (event.font?.type !== 'Type3') noteOverprint(event);
        fonts.add(event.font?.baseName ?? '');
        texts.update(event.bytes);
      },
      paint(event) {
        if (event.paints !== 'stroke') paint(event.state.fill);
        if (event.paints !== 'fill') paint(event.state.stroke);
        if (event.paints === 'stroke' ? event.state.strokeOverprint : event.state.fillOverprint) overprints += 1;
        noteOverprint(event);
      },
      image({ image }) {
        if (image.space) for (const name of colorantsOf(image.space)) if (!process.has(name)) spots.add(name);
        images.push(
          [
            image.width,
            image.height,
            image.bitsPerComponent,
            image.space?.family ?? '',
            filterNames(image.dict, file.resolve).join('+'),
            dataLength(file, image),
          ].join(' '),
        );
      },
      shading(event) {
        for (const name of colorantsOf(event.shading.space)) if (!process.has(name)) spots.add(name);
      },
    },
  ]);
  return {
    inks: json([...spots].sort()),
    overprint: String(overprints),
    overprintColours: json([...overprinted].sort()),
    // Each image counts once: a glyph made of an image is met once, its outline form at every use.
    images: json([...new Set(images)].sort()),
    fonts: json([...fonts].sort()),
    text: texts.digest('base64'),
  };
}
