import { contentRefs, isDict, type PageFacts, type PdfFile } from '@pdf2press/pdf';

/** Whether a content stream of the page has a marked-content tag that an action writes around what it adds. */
export const hasOwnContent = (file: PdfFile, page: PageFacts, tag: string): boolean =>
  contentRefs(file, page).some((ref) => {
    const stream = file.resolve(ref);
    return isDict(stream) && stream.stream !== 0 && Buffer.from(file.stream(stream.stream)).includes(tag);
  });
