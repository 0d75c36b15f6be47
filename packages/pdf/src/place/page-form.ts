import { deflateSync } from 'node:zlib';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, type PdfDict } from '../open/values.ts';
import type { ObjectCopier } from '../write/copy-objects.ts';
import type { PdfWriter } from '../write/pdf-writer.ts';
import { numberText } from '../write/value-text.ts';
import { drawnAnnotations } from './annotations.ts';
import { type Matrix, seenMatrix } from './page-space.ts';

/** Converts pages of one file to form XObjects of the file being written; identical pages are written once. */
export interface PageForms {
  /**
   * Object number of the form of a page (from 1). The space of the form is the page as shown, with its MediaBox at the
   * origin.
   * @throws RangeError when there is no such page
   */
  formOf: (page: number) => number;
  /** The colour space of the page's transparency group in PDF syntax; '' when it has none. */
  groupSpaceOf: (page: number) => string;
}

const contentKeys: ReadonlySet<string> = new Set([
  'Length',
  'Type',
  'Subtype',
  'Resources',
  'BBox',
  'Matrix',
  'Group',
  'DL',
]);
const matrixText = (matrix: Matrix): string => `[${matrix.map(numberText).join(' ')}]`;

/**
 * @param isGroupOfSheet called when a form is written; true when the sheet has the group of the page, so that the form
 *   needs none
 */
export function createPageForms(
  file: PdfFile,
  writer: PdfWriter,
  copier: ObjectCopier,
  isGroupOfSheet: () => boolean = () => false,
): PageForms {
  const groupOf = (page: PageFacts): string => groupText(file, page, copier, isGroupOfSheet());

  const byPage = new Map<number, number>();
  const byLook = new Map<string, number>();

  const make = (page: PageFacts): number => {
    const streams = contentStreams(file, page.dict);
    const resources = page.dict.map.get('Resources') ?? page.resources;
    const frame = `/BBox[${page.effective.media.map(numberText).join(' ')}]`;
    const look = `/Resources ${resources === null ? '<<>>' : copier.text(resources)}${groupOf(page)}`;
    const annotations = drawnAnnotations(file, page);
    const matrix = `/Matrix${matrixText(seenMatrix(page))}`;
    const key = `${streams.map((stream) => stream.stream).join()} ${frame}${matrix}${look}`;
    const known = annotations.length === 0 ? byLook.get(key) : undefined;
    if (known !== undefined) return known;
    const form = '/Type/XObject/Subtype/Form';
    const num = writer.reserve();
    if (annotations.length === 0) {
      byLook.set(key, num);
      writeContent(num, `${form}${frame}${matrix}${look}`, streams);
      return num;
    }
    // Annotations are above the page content and inside its group, so an outer form contains both.
    const content = writer.reserve();
    writeContent(content, `${form}${frame}/Resources ${resources === null ? '<<>>' : copier.text(resources)}`, streams);
    let xobjects = `/P ${content} 0 R`;
    let properties = '';
    let drawing = '/P Do\n';
    annotations.forEach((annotation, index) => {
      xobjects += `/A${index} ${copier.reference(annotation.appearance)} 0 R`;
      const draw = `q ${annotation.matrix.map(numberText).join(' ')} cm /A${index} Do Q`;
      if (annotation.layer) {
        properties += `/L${index} ${copier.text(annotation.layer)}`;
        drawing += `/OC /L${index} BDC ${draw} EMC\n`;
      } else drawing += `${draw}\n`;
    });
    const outer = `<</XObject<<${xobjects}>>${properties ? `/Properties<<${properties}>>` : ''}>>`;
    writer.stream(num, `${form}${frame}${matrix}/Resources${outer}${groupOf(page)}`, Buffer.from(drawing, 'latin1'));
    return num;
  };

  const writeContent = (num: number, entries: string, streams: readonly PdfDict[]): void => {
    const [only] = streams;
    if (only && streams.length === 1) {
      copier.copyStream(only.stream, num, entries + copier.entries(only, contentKeys));
      return;
    }
    // A stream may end between any two tokens, so they are separated by a line feed (ISO 32000-1, 7.8.2).
    const pieces = streams.flatMap((stream) => [file.stream(stream.stream), Buffer.from('\n')]);
    writer.stream(num, `${entries}/Filter/FlateDecode`, deflateSync(Buffer.concat(pieces)));
  };

  const pageAt = (number: number): PageFacts => {
    const page = file.pages[number - 1];
    if (!page) throw new RangeError(`page ${number}`);
    return page;
  };

  return {
    groupSpaceOf: (number) => groupSpace(file, pageAt(number), copier),
    formOf(number) {
      const known = byPage.get(number);
      if (known !== undefined) return known;
      const form = make(pageAt(number));
      byPage.set(number, form);
      copier.drain();
      return form;
    },
  };
}

function contentStreams(file: PdfFile, page: PdfDict): PdfDict[] {
  const contents = page.map.get('Contents');
  const resolved = file.resolve(contents);
  const list = isArray(resolved) ? resolved : [contents];
  return list.flatMap((entry) => {
    const stream = file.resolve(entry);
    return isDict(stream) && stream.stream !== 0 ? [stream] : [];
  });
}

/**
 * The transparency group of a page, isolated as page groups always are (ISO 32000-1, 11.4.7). Without a group, the form
 * would blend with what is below it on the sheet, in the colour space of the sheet.
 */
function groupText(file: PdfFile, page: PageFacts, copier: ObjectCopier, isGroupOfSheet: boolean): string {
  const group = file.resolve(page.dict.map.get('Group'));
  if (!isDict(group)) return '';
  const isKnockout = file.entry(group, 'K') === true;
  if (isGroupOfSheet && !isKnockout) return '';
  const space = groupSpace(file, page, copier);
  return `/Group<</S/Transparency/I true${isKnockout ? '/K true' : ''}${space && `/CS ${space}`}>>`;
}

function groupSpace(file: PdfFile, page: PageFacts, copier: ObjectCopier): string {
  const group = file.resolve(page.dict.map.get('Group'));
  const space = isDict(group) ? group.map.get('CS') : undefined;
  return space === undefined || file.resolve(space) === null ? '' : copier.text(space);
}
