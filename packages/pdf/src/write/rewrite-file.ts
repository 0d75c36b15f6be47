import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isRef } from '../open/values.ts';
import { createCopier } from './copy-objects.ts';
import { createPdfWriter } from './pdf-writer.ts';

export interface RewriteOptions {
  maxBytes?: number;
  /** Instead of the file's own. */
  version?: string;
}

/**
 * Writes an open file, with whatever was changed in it through the engine, to `path`: decrypted, mended, without what
 * nothing refers to, streams byte for byte. Never holds more than one stream.
 * @returns the size of the new file
 * @throws FileFaultError PDF_LIMIT_OUTPUT; leaves nothing at `path` then
 */
export function rewritePdf(file: PdfFile, path: string, options: RewriteOptions = {}): number {
  const writer = createPdfWriter({ path, version: file.version || '1.4', ...options });
  const copier = createCopier(file, writer, { skipsPages: false });
  try {
    const [root, info] = [file.trailer.map.get('Root'), file.trailer.map.get('Info')];
    const rootNumber = isRef(root) ? copier.reference(root.num) : writer.reserve();
    if (!isRef(root)) writer.object(rootNumber, copier.text(file.catalog));
    // A directly written one is not allowed, and read all the same.
    const infoNumber = isRef(info) ? copier.reference(info.num) : isDict(info) ? writer.reserve() : undefined;
    if (infoNumber !== undefined && isDict(info)) writer.object(infoNumber, copier.text(info));
    copier.drain();
    // Pages that are lost leave their count behind: a file with more pages than numbers readers take for a lie.
    if (file.pages[0]?.object === 0)
      for (let last = 0; last < Math.min(file.pageCount, file.objectCount); ) last = writer.reserve();
    return writer.finish({ root: rootNumber, info: infoNumber });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
