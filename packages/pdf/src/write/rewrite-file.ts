import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isRef } from '../open/values.ts';
import { createCopier } from './copy-objects.ts';
import { createPdfWriter } from './pdf-writer.ts';

export interface RewriteOptions {
  maxBytes?: number;
  /** PDF version of the new file; default: that of the open file. */
  version?: string;
}

/**
 * Writes an open file with all changes to `path`: decrypted, repaired, without unreferenced objects, with stream data
 * copied unchanged. Holds at most one stream in memory.
 * @returns the size of the new file
 * @throws FileFaultError PDF_LIMIT_OUTPUT; `path` does not exist then
 */
export function rewritePdf(file: PdfFile, path: string, options: RewriteOptions = {}): number {
  const writer = createPdfWriter({ path, version: file.version || '1.4', ...options });
  const copier = createCopier(file, writer, { skipsPages: false });
  try {
    const [root, info] = [file.trailer.map.get('Root'), file.trailer.map.get('Info')];
    const rootNumber = isRef(root) ? copier.reference(root.num) : writer.reserve();
    if (!isRef(root)) writer.object(rootNumber, copier.text(file.catalog));
    // A direct Info dictionary is not allowed, but read nevertheless.
    const infoNumber = isRef(info) ? copier.reference(info.num) : isDict(info) ? writer.reserve() : undefined;
    if (infoNumber !== undefined && isDict(info)) writer.object(infoNumber, copier.text(info));
    copier.drain();
    // Lost pages are counted by /Count only. Readers reject a /Count that is larger than the number of objects.
    if (file.pages[0]?.object === 0)
      for (let last = 0; last < Math.min(file.pageCount, file.objectCount); ) last = writer.reserve();
    return writer.finish({ root: rootNumber, info: infoNumber });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
