import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { inContainer } from '../open/object-places.ts';
import type { FileLayout, PdfFile } from '../open/pdf-file.ts';
import type { Extent } from '../open/plain-objects.ts';
import { isArray, isDict, isRef, type PdfValue } from '../open/values.ts';
import { createCopier } from './copy-objects.ts';
import { createPdfWriter, type Place, packsObjects } from './pdf-writer.ts';

export interface PatchOptions {
  /** A copy of the file, which becomes the new file; null when it could not be made. */
  copy: Promise<string | null>;
  /** Path of the new file. */
  path: string;
  /** PDF version of the new file; default: that of the open file. */
  version?: string | undefined;
}

/** With more unused bytes than this, the file is written completely instead. */
const maxBlankBytes = 2 ** 20;

/**
 * Turns a copy of an open file into the changed file: unchanged objects stay where they are, unreferenced ones are
 * overwritten with spaces, changed ones are appended, and one new cross-reference section lists all of them. The
 * content is the same as with `rewritePdf`, but only the changes of a large file are written. What to write is found
 * while the copy is still being made.
 * @returns the size of the new file; null when the file must be written with `rewritePdf`
 * @throws FileFaultError PDF_LIMIT_OUTPUT
 */
export async function patchCopy(
  file: PdfFile,
  { copy: copying, path, version = file.version || '1.4' }: PatchOptions,
): Promise<number | null> {
  const plan = file.layout && planOf(file, file.layout, packsObjects(version));
  const copy = await copying;
  if (copy === null) return null;
  if (!plan || !blankCopy(copy, version, plan.blanks)) {
    rmSync(copy, { force: true });
    return null;
  }
  const writer = createPdfWriter({ path, version, behind: { part: copy, bytes: file.bytes, places: plan.places } });
  try {
    const copier = createCopier(file, writer, { skipsPages: false, keepsNumbers: true });
    for (const num of plan.anew) copier.write(num);
    return writer.finish({ root: plan.root, ...(plan.info > 0 && { info: plan.info }) });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

interface Plan {
  root: number;
  info: number;
  /** Places of the objects that stay, by object number. */
  places: (Place | undefined)[];
  anew: number[];
  blanks: Extent[];
}

function planOf(file: PdfFile, layout: FileLayout, keepsContainers: boolean): Plan | null {
  const [root, info] = ['Root', 'Info'].map((key) => file.trailer.map.get(key));
  if (!isRef(root) || !(isRef(info) || info === undefined)) return null;
  const live = reachable(file, [root.num, ...(info ? [info.num] : [])]);
  if (!live) return null;
  const containers = keepsContainers ? soundContainers(live, layout) : new Set<number>();
  const places: (Place | undefined)[] = Array.from({ length: file.objectCount });
  const kept: Extent[] = [];
  const anew: number[] = [];
  const keep = (num: number): boolean => {
    const extent = layout.extent(num);
    if (extent) {
      kept.push(extent);
      places[num] = { offset: extent.start };
    }
    return extent !== null;
  };
  for (const container of containers) if (!keep(container)) containers.delete(container);
  for (const num of live) {
    const place = layout.places.get(num) ?? 0;
    const inside = place < 0 ? inContainer(place) : null;
    if (inside && containers.has(inside.container)) {
      places[num] = { inStream: inside.container, index: inside.index };
    } else if (!keep(num)) anew.push(num);
    file.release(num);
  }
  const blanks = gaps(kept, file.bytes);
  return blanks && { root: root.num, info: isRef(info) ? info.num : 0, places, anew, blanks };
}

/**
 * Numbers of all objects that can be reached; null when a reference leads to a number beyond the last object, which the
 * writer will use.
 */
function reachable(file: PdfFile, from: readonly number[]): Set<number> | null {
  const found = new Set(from);
  const waiting = [...from];
  let isClosed = true;
  const look = (value: PdfValue): void => {
    if (isRef(value)) {
      if (found.has(value.num)) return;
      if (value.num >= file.objectCount) isClosed = false;
      found.add(value.num);
      waiting.push(value.num);
    } else if (isArray(value)) value.forEach(look);
    else if (isDict(value)) value.map.forEach(look);
  };
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    look(file.get(num));
    file.release(num);
  }
  return isClosed ? found : null;
}

/** Object streams that contain only needed, unchanged objects. */
function soundContainers(live: ReadonlySet<number>, layout: FileLayout): Set<number> {
  const [sound, broken] = [new Set<number>(), new Set<number>()];
  for (const [num, place] of layout.places) {
    if (place === null || place >= 0) continue;
    const { container } = inContainer(place);
    (live.has(num) && !layout.isChanged(num) ? sound : broken).add(container);
  }
  for (const container of broken) sound.delete(container);
  return sound;
}

/** The byte ranges between the kept objects; null when they are too large or when objects overlap. */
function gaps(kept: Extent[], size: number): Extent[] | null {
  const found: Extent[] = [];
  let at = 0;
  let sum = 0;
  for (const { start, end } of [...kept.sort((a, b) => a.start - b.start), { start: size, end: size }]) {
    if (start < at) return null;
    if (start > at) found.push({ start: at, end: start });
    sum += start - at;
    at = end;
  }
  return sum > maxBlankBytes ? null : found;
}

const header = /^%PDF-\d\.\d(?=[\r\n])(\r\n|\r|\n)(%[^\r\n]*(\r\n|\r|\n))?/;

/** Overwrites the ranges and the version; false when the file has no header of the usual form. */
function blankCopy(copy: string, version: string, blanks: readonly Extent[]): boolean {
  const fd = openSync(copy, 'r+');
  try {
    const head = Buffer.alloc(64);
    const found = header.exec(head.toString('latin1', 0, readSync(fd, head, 0, head.length, 0)))?.[0];
    if (found === undefined) return false;
    writeSync(fd, version, '%PDF-'.length, 'latin1');
    const spaces = Buffer.alloc(Math.max(1, ...blanks.map(({ start, end }) => end - start)), ' ');
    for (const { start, end } of blanks) {
      const from = start === 0 ? Math.min(found.length, end) : start;
      if (from === end) continue;
      // End with a line feed, because the next object starts a line.
      spaces[end - from - 1] = 10;
      writeSync(fd, spaces, 0, end - from, from);
      spaces[end - from - 1] = 32;
    }
    return true;
  } finally {
    closeSync(fd);
  }
}
