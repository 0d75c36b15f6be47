import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { openPdf, type PdfFile } from '@pdf2press/pdf/place';
import { readsDieFile } from '../dies/dies.ts';
import { hasDie } from '../dies/lay-dies.ts';
import type { ImposeProfile } from '../profile/profile.ts';
import type { Attachment } from '../sheet/attachment.ts';
import { refuse } from '../sheet/problems.ts';

/** The attachments of a profile, on disk for the duration of a job. */
export interface Attachments {
  /** Path of the die file, if the job needs it. */
  die: string | undefined;
  /** The opened colour bar; null when none is drawn. @throws LayoutFault impose.attachmentUnreadable */
  strip: () => PdfFile | null;
  /** Closes the colour bar and deletes the files. */
  close: () => void;
}

/** Writes attachments to a new folder in the work directory, because PDFs are opened by path. */
export function unpackAttachments(profile: ImposeProfile, workDir: string): Attachments {
  let dir: string | null = null;
  let strip: PdfFile | null = null;
  const unpack = (file: Attachment, name: string): string => {
    dir ??= mkdtempSync(path.join(workDir, '.attached-'));
    const to = path.join(dir, name);
    writeFileSync(to, Buffer.from(file.data, 'base64'));
    return to;
  };
  const { colorBar } = profile.marks;
  return {
    die: hasDie(profile) && profile.die.file && readsDieFile(profile) ? unpack(profile.die.file, 'die') : undefined,
    strip() {
      if (!colorBar.enabled || !colorBar.strip) return null;
      const { strip: file } = colorBar;
      strip ??= readingAttachment(file, 'marks.colorBar.strip', () => openPdf({ path: unpack(file, 'strip.pdf') }));
      return strip;
    },
    close() {
      strip?.close();
      if (dir !== null) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Reports an unreadable attachment as a problem of the profile, not of the job's PDF.
 * @throws LayoutFault impose.attachmentUnreadable
 */
export function readingAttachment<T>(file: Attachment, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileFaultError)) throw error;
    return refuse('impose.attachmentUnreadable', field, { name: file.name });
  }
}
