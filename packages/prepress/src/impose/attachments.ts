import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { openPdf, type PdfFile } from '@pdf2press/pdf/place';
import type { Attachment } from '../layouts/attachment.ts';
import type { ImposeProfile } from '../layouts/layouts.ts';
import { refuse } from '../layouts/problems.ts';
import { readsDieFile } from './dies.ts';

/** The files that a profile carries, on disk while a job needs them. */
export interface Attachments {
  /** The profile's die, where the job reads one. */
  die: string | undefined;
  /** The colour bar, opened; null where none is drawn. @throws LayoutFault impose.attachmentUnreadable */
  strip: () => PdfFile | null;
  close: () => void;
}

/** Puts a profile's files on disk, in a folder of their own below the work directory: PDFs are opened from there. */
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
    die:
      profile.type === 'DieCut' && profile.die.file && readsDieFile(profile)
        ? unpack(profile.die.file, 'die')
        : undefined,
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

/** A file of the profile that cannot be read is a fault of the profile, not of the job's own file. */
export function readingAttachment<T>(file: Attachment, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileFaultError)) throw error;
    return refuse('impose.attachmentUnreadable', field, { name: file.name });
  }
}
