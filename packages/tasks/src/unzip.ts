import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import {
  cleanFileName,
  type FileType,
  fileTypeOf,
  isSidecarName,
  maxSidecarBytes,
  unzippedLimit,
} from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import { type Entry, getFileNameLowLevel, open, type ZipFile } from 'yauzl';
import type { Task } from './task.ts';

export interface UnzipParams {
  /** Absolute path of the ZIP. */
  path: string;
  /** Types of file that are taken out, told by their names. */
  types: FileType[];
  /** Whether files with values are read, too. */
  takesSidecars: boolean;
}

interface UnzippedFile {
  /** In the work directory. */
  path: string;
  /** With the folders it lay in, cleaned for showing; never used as a path. */
  name: string;
  /** The file with values that has the same name but for its extension. */
  sidecar?: { name: string; text: string };
}

export interface UnzipResult {
  files: UnzippedFile[];
  /** What was left in the ZIP, and why. */
  skipped: { name: string; code: string }[];
}

/** Files of a ZIP that are taken out; more are no delivery of a customer, and each becomes a session. */
const maxFiles = 1000;
/** Entries of all kinds that are looked at. */
const maxEntries = 10_000;

interface Found {
  entry: Entry;
  name: string;
  kind: 'file' | 'sidecar' | 'ignored' | { skipped: string };
}

/** Names that file managers and packers put there by themselves. */
const byItself = /^(__MACOSX$|\.|thumbs\.db$|desktop\.ini$)/i;

/** A name with folders that leads nowhere: without drive, root and `..`, each part as clean as a file's name. */
const shownName = (raw: string): string =>
  raw
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part))
    .map(cleanFileName)
    .join('/');

const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

function kindOf(entry: Entry, raw: string, { types, takesSidecars }: UnzipParams): Found['kind'] {
  if (raw.endsWith('/') || raw.split('/').some((part) => byItself.test(part) && part !== '.' && part !== '..'))
    return 'ignored';
  if (isLink(entry)) return { skipped: 'ZIP_LINK' };
  const type = fileTypeOf(raw);
  if (type === 'ZIP') return { skipped: 'ZIP_NESTED' };
  if (takesSidecars && isSidecarName(raw)) return 'sidecar';
  if (!type || !types.includes(type)) return { skipped: 'ZIP_TYPE' };
  return entry.uncompressedSize === 0 ? { skipped: 'PDF_EMPTY' } : 'file';
}

/** All entries, from the directory at the ZIP's end. */
const readEntries = (zip: ZipFile, params: UnzipParams): Promise<Found[]> =>
  new Promise((resolve, reject) => {
    const found: Found[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(found));
    zip.on('entry', (entry: Entry) => {
      if (found.length === maxEntries) return reject(new FileFaultError('ZIP_LIMIT_ENTRIES', { limit: maxEntries }));
      const raw = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      found.push({ entry, name: shownName(raw), kind: kindOf(entry, raw, params) });
      zip.readEntry();
    });
    zip.readEntry();
  });

/** Refuses the whole before anything is written. */
function demandHarmless(found: readonly Found[], zipBytes: number): void {
  const wanted = found.filter(({ kind }) => kind === 'file' || kind === 'sidecar');
  const isLocked = wanted.some(({ entry }) => entry.isEncrypted());
  if (isLocked) throw new FileFaultError('ZIP_ENCRYPTED');
  if (wanted.filter(({ kind }) => kind === 'file').length > maxFiles)
    throw new FileFaultError('ZIP_LIMIT_ENTRIES', { limit: maxFiles });
  const bytes = found.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const over = unzippedLimit({ zipBytes, bytes });
  if (over) throw new FileFaultError(over.code, { limit: over.limit });
}

/** Passes bytes on and compares their sum with the one in the ZIP when they end. */
function checked(entry: Entry): Transform {
  let sum = 0;
  return new Transform({
    transform(bytes: Buffer, _, done) {
      sum = crc32(bytes, sum);
      done(null, bytes);
    },
    flush: (done) => done(sum === entry.crc32 ? null : new Error('checksum')),
  });
}

const streamOf = (zip: ZipFile, entry: Entry) =>
  promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry);

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  const pieces: Buffer[] = [];
  await pipeline(await streamOf(zip, entry), checked(entry), async (bytes) => {
    for await (const piece of bytes) pieces.push(piece as Buffer);
  });
  return Buffer.concat(pieces).toString('utf8');
}

const withoutExtension = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase();

async function unpack(zip: ZipFile, params: UnzipParams, workDir: string): Promise<UnzipResult> {
  const found = await readEntries(zip, params);
  demandHarmless(found, zip.fileSize);
  const skipped = found.flatMap(({ name, kind }) => (typeof kind === 'object' ? [{ name, code: kind.skipped }] : []));
  const sidecars = new Map<string, { name: string; text: string }>();
  for (const { entry, name, kind } of found) {
    if (kind !== 'sidecar') continue;
    if (entry.uncompressedSize > maxSidecarBytes) skipped.push({ name, code: 'sidecar.tooLarge' });
    else sidecars.set(withoutExtension(name), { name, text: await textOf(zip, entry) });
  }
  const files: UnzippedFile[] = [];
  for (const { entry, name, kind } of found) {
    if (kind !== 'file') continue;
    const at = `${files.length + 1}`;
    await pipeline(await streamOf(zip, entry), checked(entry), createWriteStream(path.join(workDir, at)));
    const sidecar = sidecars.get(withoutExtension(name));
    files.push({ path: at, name, ...(sidecar && { sidecar }) });
  }
  return { files, skipped };
}

/**
 * Takes the files out of a ZIP: each under a number in the work directory, streamed and compared with its checksum. Links,
 * ZIPs in the ZIP and other types stay where they are and are told.
 * @throws FileFaultError ZIP_DAMAGED, ZIP_ENCRYPTED, ZIP_LIMIT_ENTRIES, ZIP_LIMIT_BYTES, ZIP_LIMIT_RATIO
 */
export const run: Task<UnzipParams, UnzipResult> = async (params, tools) => {
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false } as const;
  let zip: ZipFile | undefined;
  try {
    zip = await promisify<string, typeof options, ZipFile>(open)(params.path, options);
    return await unpack(zip, params, tools.workDir);
  } catch (error) {
    if (error instanceof FileFaultError) throw error;
    const isStrong = error instanceof Error && error.message.includes('strong encryption');
    throw new FileFaultError(isStrong ? 'ZIP_ENCRYPTED' : 'ZIP_DAMAGED', {}, { cause: error });
  } finally {
    zip?.close();
  }
};
