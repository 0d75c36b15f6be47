import { FileFaultError } from '@pdf2press/contract/faults';
import { type Budgets, defaultBudgets } from './budgets.ts';
import { type Changes, createChanges, putAt } from './changes.ts';
import { type DiskFile, openDiskFile } from './disk-file.ts';
import { type Encryption, readEncryption } from './encryption.ts';
import { type Engine, guarded, missingHeader, tolerant } from './engine.ts';
import { type ObjectPlaces, readObjectPlaces } from './object-places.ts';
import { createObjectReader, type ObjectReader, readEngineObject } from './object-reader.ts';
import { createPageList, type PageFacts } from './page-facts.ts';
import { type Extent, type FileRange, openPlainObjects, type PlainObjects, readRange } from './plain-objects.ts';
import { recovered } from './recovery.ts';
import { createSteadyEngine, type SteadyEngine } from './steady-engine.ts';
import { createStreams } from './streams.ts';
import { readStructure, type Structure } from './structure.ts';
import { asDict, emptyDict, isDict, isName, isRef, type PdfDict, type PdfValue } from './values.ts';

/**
 * An open PDF: object access, changes in memory, streams, pages. Changes never modify the file on disk.
 * Pages are numbered from 1, lengths are in points.
 */
export interface PdfFile {
  readonly path: string;
  /** File size. */
  readonly bytes: number;
  readonly structure: Structure;
  /** True when damage was found that had to be repaired, by MuPDF or by the check of the file structure. */
  readonly isRepaired: boolean;
  /** For example '1.7': the version of the header, or of the catalog if that is higher. */
  readonly version: string;
  readonly encryption: Encryption | null;
  readonly trailer: PdfDict;
  readonly catalog: PdfDict;
  readonly info: PdfDict | null;
  /** All object numbers, including those of new objects, are smaller than this. */
  readonly objectCount: number;
  readonly pageCount: number;
  readonly pages: readonly PageFacts[];
  /**
   * The facts of a page (from 1) after changes.
   * @throws RangeError when there is no such page
   */
  readonly pageNow: (number: number) => PageFacts;
  readonly budgets: Budgets;
  /** The MuPDF document with all changes applied. For use inside this package, and for reading only. */
  readonly engine: Engine;
  /** The value of an indirect object; null when there is none. */
  readonly get: (num: number) => PdfValue;
  /** Follows references to a value; null for circular references and missing objects. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  /** The value of a dictionary entry with references followed; null when absent. */
  readonly entry: (dict: PdfDict, key: string) => PdfValue;
  /**
   * Replaces an object, or creates one under a number from `reserve`. Reading and writing see it at once; the file on
   * disk stays unchanged. With `data` (encoded as the dictionary says) the object becomes a stream; without it, an
   * existing stream keeps its data.
   */
  readonly set: (num: number, value: PdfValue, data?: Uint8Array | FileRange) => void;
  /**
   * Sets the value at the end of a path of keys that starts at an object; `undefined` removes it. Follows references.
   */
  readonly put: (num: number, way: readonly (string | number)[], value: PdfValue | undefined) => void;
  /** Returns the number of a new object. */
  readonly reserve: () => number;
  /** Stores bytes on disk, for use in `set` later. */
  readonly spool: (data: Uint8Array) => FileRange;
  /** Removes an object from the read cache, to save memory. */
  readonly release: (num: number) => void;
  /** Incremented by every change: data derived from objects before a change may be outdated. */
  readonly generation: number;
  /**
   * Decoded data of a stream; empty when it cannot be decoded.
   * @throws FileFaultError PDF_LIMIT_EXPANSION
   */
  readonly stream: (num: number) => Uint8Array;
  /** The first few kilobytes of a decoded stream. */
  readonly streamHead: (num: number) => Uint8Array;
  /** Decrypted but still encoded data of a stream. */
  readonly rawStream: (num: number) => Uint8Array;
  /**
   * The same as `rawStream` without a copy: the bytes are valid only while `use` runs.
   * @param most no more than so many of the first bytes
   */
  readonly borrowStream: (num: number, use: (bytes: Uint8Array) => void, most?: number) => void;
  /** Where the encoded data of a stream lies on disk; null when only MuPDF can read it. */
  readonly streamRange: (num: number, dict: PdfDict) => FileRange | null;
  /** Positions of the objects in the file; null unless the file is undamaged and was written in one pass. */
  readonly layout: FileLayout | null;
  readonly close: () => void;
}

/** Positions of objects in an undamaged file without incremental updates. */
export interface FileLayout {
  readonly places: ObjectPlaces['places'];
  /** Extent of an unchanged object; null for one that was changed, lies in an object stream or does not exist. */
  readonly extent: (num: number) => Extent | null;
  /** True when the object was changed since the file was opened. */
  readonly isChanged: (num: number) => boolean;
}

/** Input of `openPdf`. `budgets` replaces single values of `defaultBudgets`. */
export interface OpenOptions {
  path: string;
  password?: string | undefined;
  budgets?: Partial<Budgets>;
}

/**
 * Opens a PDF from disk.
 * @throws FileFaultError FILE_NOT_FOUND, PDF_EMPTY, PDF_TOO_LARGE, PDF_NOT_PDF, PDF_DAMAGED, PDF_ENCRYPTED
 *   {isPasswordWrong}, PDF_NO_PAGES, PDF_MEMORY, PDF_LIMIT_*
 */
export function openPdf(options: OpenOptions): PdfFile {
  const budgets = { ...defaultBudgets, ...options.budgets };
  const disk = openDiskFile(options.path, budgets.fileBytes);
  try {
    return openInSomeWay(disk, options, budgets);
  } catch (error) {
    disk.close();
    throw error;
  }
}

function openInSomeWay(disk: DiskFile, options: OpenOptions, budgets: Budgets): PdfFile {
  try {
    return openFrom(disk, options, budgets);
  } catch (error) {
    const again = error instanceof FileFaultError && unread.has(error.code) ? openAnew(disk, options, budgets) : null;
    if (again) return again;
    throw error;
  }
}

/** Faults after which the objects are searched in the bytes of the file. */
const unread = new Set<string>(['PDF_DAMAGED', 'PDF_NOT_PDF', 'PDF_NO_PAGES']);

/** Opens a file by a table of its readable objects; null if it still has no pages. */
function openAnew(disk: DiskFile, options: OpenOptions, budgets: Budgets): PdfFile | null {
  const { headerOffset } = readStructure(disk, budgets.xrefSections);
  const mended = recovered(disk, headerOffset < 0 ? missingHeader.length : -headerOffset);
  if (!mended) return null;
  try {
    return openFrom(disk, options, budgets, mended);
  } catch (error) {
    // The first fault says what is wrong with the file; a password that is missing is asked for.
    if (error instanceof FileFaultError && unread.has(error.code)) return null;
    throw error;
  }
}

/**
 * One function, because the methods of the file share its caches and the state of its changes.
 * @param mended the file with a table of its readable objects, where its own leads nowhere
 */
function openFrom(disk: DiskFile, options: OpenOptions, budgets: Budgets, mended?: DiskFile): PdfFile {
  const structure = readStructure(disk, budgets.xrefSections);
  const steady = createSteadyEngine(mended ?? disk, structure.headerOffset >= 0, (engine) =>
    unlock(engine, options.password),
  );
  const isDamaged = mended !== undefined || structure.problems.some((problem) => repairs.has(problem));
  const table = isDamaged || structure.headerOffset !== 0 ? null : readObjectPlaces(disk);
  const plain = table && openIfSound(disk, table);
  if (!plain) openOrExplain(steady, structure);

  const trailer =
    plain && table ? table.trailer : (asDict(readEngineObject(steady.current().getTrailer(), 0)) ?? emptyDict);
  let objectCount = plain && table ? table.count : steady.current().countObjects();
  if (objectCount > budgets.objects) throw new FileFaultError('PDF_LIMIT_OBJECTS', { limit: budgets.objects });
  const changes = createChanges();
  const { get, resolve, forget, release } = createObjectReader(steady, plain, changes.get);
  const streamRange = (num: number, dict: PdfDict): FileRange | null => {
    const now = changes.range(num);
    if (now !== undefined) return now;
    const length = resolve(dict.map.get('Length'));
    return typeof length === 'number' ? (plain?.range(num, length) ?? null) : null;
  };
  const toldEngine = (): Engine => {
    const engine = steady.current();
    if (changes.areUntold()) {
      steady.settle();
      changes.tell(engine);
    }
    return engine;
  };
  const layout = plain && table?.isFirstWriting ? layoutOf(plain, table, changes, resolve) : null;
  const fromDisk = (num: number, most = Infinity): Uint8Array | null => {
    const dict = get(num);
    const range = isDict(dict) && dict.stream !== 0 ? streamRange(num, dict) : null;
    return range && readRange({ ...range, length: Math.min(range.length, most) });
  };
  const streams = createStreams(steady, budgets, resolve, fromDisk, (num) => {
    if (changes.get(num) !== undefined) toldEngine();
  });
  const readCatalog = (): PdfDict => asDict(resolve(trailer.map.get('Root'))) ?? emptyDict;
  const catalog = readCatalog();
  const encrypt = asDict(resolve(trailer.map.get('Encrypt')));
  const pages = createPageList({
    catalog: readCatalog,
    objectCount: () => objectCount,
    get,
    resolve,
    maxPages: budgets.pages,
  });
  /**
   * True when MuPDF would open the file without a repair: what it reads then has no fault. Opening it only to ask would take
   * longer than all else of a short inspection. Layers and forms are read at the start as well, from many objects.
   */
  const isSurelyWhole = (): boolean => {
    const root = trailer.map.get('Root');
    if (!plain || !table?.isWhole || !isRef(root) || !plain.isStrict(root.num)) return false;
    const written = asDict(plain.get(root.num) ?? null);
    return written !== null && !written.map.has('OCProperties') && !written.map.has('AcroForm');
  };
  let generation = 0;
  if (pages.current().length === 0)
    throw new FileFaultError(structure.headerOffset < 0 ? 'PDF_NOT_PDF' : 'PDF_NO_PAGES');
  const firstNew = objectCount;
  const set: PdfFile['set'] = (num, value, data) => {
    const before = num < firstNew || changes.get(num) !== undefined ? get(num) : null;
    const isStream = data !== undefined || (isDict(before) && before.stream !== 0);
    const map =
      isDict(value) && data ? new Map(value.map).set('Length', data.length) : isDict(value) ? value.map : null;
    changes.set(num, map ? { kind: 'dict', map, stream: isStream ? num : 0 } : value, data);
    forget(num);
    // A new object cannot be part of anything that was read before.
    if (num >= firstNew && before === null) return;
    streams.forget();
    pages.objectChanged(num, before, value);
    generation += 1;
  };

  return {
    path: options.path,
    bytes: disk.size,
    structure,
    get isRepaired() {
      return isDamaged || (steady.repairSoFar() ?? (!isSurelyWhole() && steady.wasRepaired()));
    },
    version: versionOf(structure, catalog, resolve, steady),
    encryption: encrypt && readEncryption(encrypt, resolve),
    trailer,
    get catalog() {
      return readCatalog();
    },
    get info() {
      return asDict(resolve(trailer.map.get('Info')));
    },
    get objectCount() {
      return objectCount;
    },
    get pageCount() {
      return pages.current().length;
    },
    get pages() {
      return pages.current();
    },
    pageNow(number) {
      const page = pages.current()[number - 1];
      if (!page) throw new RangeError(`page ${number}`);
      return page;
    },
    budgets,
    get engine() {
      return toldEngine();
    },
    get,
    resolve,
    set,
    put: (num, way, value) => putAt({ get }, num, way, value, set),
    reserve() {
      objectCount += 1;
      return objectCount - 1;
    },
    spool: changes.spool,
    release,
    get generation() {
      return generation;
    },
    entry: (dict, key) => resolve(dict.map.get(key)),
    stream(num) {
      const dict = get(num);
      return isDict(dict) && dict.stream !== 0 ? streams.decoded(num, dict) : new Uint8Array(0);
    },
    streamHead(num) {
      const dict = get(num);
      return isDict(dict) && dict.stream !== 0 ? streams.head(num, dict) : new Uint8Array(0);
    },
    rawStream: streams.raw,
    borrowStream(num, use, most) {
      const bytes = fromDisk(num, most);
      if (bytes) return use(bytes);
      const object = (changes.get(num) === undefined ? steady.current() : toldEngine()).newIndirect(num);
      const buffer = tolerant(() => object.readRawStream(), null);
      object.destroy();
      use(buffer?.asUint8Array().subarray(0, most) ?? new Uint8Array(0));
      buffer?.destroy();
    },
    streamRange,
    layout,
    close() {
      changes.close();
      steady.close();
      disk.close();
    },
  };
}

function layoutOf(
  plain: PlainObjects,
  table: ObjectPlaces,
  changes: Changes,
  resolve: ObjectReader['resolve'],
): FileLayout {
  return {
    places: table.places,
    isChanged: (num) => changes.get(num) !== undefined,
    extent(num) {
      if (changes.get(num) !== undefined) return null;
      const value = plain.get(num);
      if (!isDict(value) || value.stream === 0) return value === undefined ? null : plain.extent(num, null);
      const length = resolve(value.map.get('Length'));
      return typeof length === 'number' ? plain.extent(num, length) : null;
    },
  };
}

/** Structure problems that force a reader to rebuild or guess. The others do not affect reading. */
const repairs = new Set<string>([
  'header.missing',
  'end.missing',
  'startxref.missing',
  'xref.offset',
  'xref.entries',
  'xref.loop',
  'trailer.unreadable',
]);

/** Null unless catalog and page tree can be read without MuPDF. If they can, MuPDF is only opened for rendering. */
function openIfSound(disk: DiskFile, table: ObjectPlaces): PlainObjects | null {
  const root = table.trailer.map.get('Root');
  if (table.trailer.map.has('Encrypt') || !isRef(root)) return null;
  const plain = openPlainObjects(disk, table);
  const catalog = plain.get(root.num);
  const pages = isDict(catalog) ? catalog.map.get('Pages') : null;
  return isRef(pages) && isDict(plain.get(pages.num)) ? plain : null;
}

function openOrExplain(steady: SteadyEngine, structure: Structure): void {
  try {
    steady.current();
  } catch (error) {
    // Damage without a header means that the file is not a PDF at all.
    if (error instanceof FileFaultError && error.code === 'PDF_DAMAGED' && structure.headerOffset < 0) {
      throw new FileFaultError('PDF_NOT_PDF', {}, { cause: error });
    }
    throw error;
  }
}

function unlock(engine: Engine, password: string | undefined): void {
  const opened = password !== undefined && guarded(() => engine.authenticatePassword(password)) !== 0;
  if (!opened) throw new FileFaultError('PDF_ENCRYPTED', { isPasswordWrong: password !== undefined });
}

function versionOf(structure: Structure, catalog: PdfDict, resolve: PdfFile['resolve'], steady: SteadyEngine): string {
  const header = structure.headerVersion;
  const own = resolve(catalog.map.get('Version'));
  const catalogVersion = isName(own) && /^\d\.\d$/.test(own.name) ? own.name : null;
  if (header && catalogVersion) return Number(catalogVersion) > Number(header) ? catalogVersion : header;
  // Neither header nor catalog names a version: use the one MuPDF assumes.
  return header ?? catalogVersion ?? (steady.current().getVersion() / 10).toFixed(1);
}
