/**
 * Relative actions (a quarter turn, half the size, without page 1) would act again on their own result. The file
 * records them in a page-piece dictionary (ISO 32000-1, 14.5), so that running the same fix twice changes the file
 * once.
 */
import { createHash } from 'node:crypto';
import { isDict, isString, type PdfDict, type PdfEditor, type PdfFile, type PdfString, pdfDict } from '@pdf2press/pdf';
import { fixContracts } from '../fixes/contracts.ts';
import type { ProfileAction } from '../profile/profile.ts';

const owner = 'PDF2PRESS';

/** The record of the action for the page-piece dictionary; null for an action that is not relative. */
export function noteOf({ key, settings, pages }: ProfileAction): string | null {
  const isRelative = fixContracts[key].isRelative as (settings: ProfileAction['settings']) => boolean;
  if (!isRelative(settings)) return null;
  return createHash('sha256')
    .update(JSON.stringify([settings, pages]))
    .digest('hex')
    .slice(0, 16);
}

function notesIn(file: PdfFile): PdfDict | null {
  const pieces = file.entry(file.catalog, 'PieceInfo');
  const ours = isDict(pieces) ? file.entry(pieces, owner) : null;
  const notes = isDict(ours) ? file.entry(ours, 'Private') : null;
  return isDict(notes) ? notes : null;
}

/** Whether the last action of this kind recorded in the file had the same settings. */
export function isDoneBefore(file: PdfFile, { key }: ProfileAction, note: string): boolean {
  const found = notesIn(file)?.map.get(key);
  return isString(found) && Buffer.from(found.bytes).toString('latin1') === note;
}

export function noteDone(edit: PdfEditor, { key }: ProfileAction, note: string, now: Date): void {
  const { file } = edit;
  const pieces = file.entry(file.catalog, 'PieceInfo');
  const text = (value: string): PdfString => ({ kind: 'string', bytes: Buffer.from(value, 'latin1') });
  const date = `D:${now.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  const notes = pdfDict({ [key]: text(note) }, notesIn(file));
  edit.putCatalog(
    'PieceInfo',
    pdfDict({ [owner]: pdfDict({ LastModified: text(date), Private: notes }) }, isDict(pieces) ? pieces : null),
  );
}
