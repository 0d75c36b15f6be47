import { FileFaultError } from '@pdf2press/contract/faults';
import { type BoxArray, boxNames, type EffectiveBoxes, effectiveBoxes, type RawBoxes, readBox } from './boxes.ts';
import { type Budgets, defaultBudgets } from './budgets.ts';
import { createChanges, putAt } from './changes.ts';
import { type DiskFile, openDiskFile } from './disk-file.ts';
import { type Encryption, readEncryption } from './encryption.ts';
import { type Engine, guarded, tolerant } from './engine.ts';
import { pageLabels } from './labels.ts';
import { type ObjectPlaces, readObjectPlaces } from './object-places.ts';
import { type PageNode, walkPageTree } from './page-tree.ts';
import { parseObject } from './parse-object.ts';
import { type Extent, type FileRange, openPlainObjects, type PlainObjects, readRange } from './plain-objects.ts';
import { createSteadyEngine, type SteadyEngine } from './steady-engine.ts';
import { createStreams } from './streams.ts';
import { readStructure, type Structure } from './structure.ts';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from './values.ts';

export interface PageFacts {
  /** From 1. */
  readonly number: number;
  /** Object number, 0 when written directly. */
  readonly object: number;
  readonly label: string;
  readonly dict: PdfDict;
  /** As written, inherited ones too, corners perhaps in the wrong order. */
  readonly boxes: RawBoxes;
  readonly effective: EffectiveBoxes;
  readonly rotate: 0 | 90 | 180 | 270;
  /** Rotate as written (0 when absent): GWG counts its mere presence. */
  readonly rotateAsWritten: number;
  /** Points × userUnit = 1/72 inch on paper. */
  readonly userUnit: number;
  readonly resources: PdfDict | null;
  readonly annotations: readonly PdfValue[];
  /** Attributes of the page tree's nodes above it. */
  readonly inherited: ReadonlyMap<string, PdfValue>;
}

export interface PdfFile {
  readonly path: string;
  readonly bytes: number;
  readonly structure: Structure;
  /** The engine, or our own look at the structure, found damage that had to be mended. */
  readonly isRepaired: boolean;
  /** '1.7': the header's, or the catalog's where that is higher. */
  readonly version: string;
  readonly encryption: Encryption | null;
  readonly trailer: PdfDict;
  readonly catalog: PdfDict;
  readonly info: PdfDict | null;
  /** Object numbers are below it, those of new objects too. */
  readonly objectCount: number;
  readonly pageCount: number;
  readonly pages: readonly PageFacts[];
  /** The facts of a page (from 1) read again, after a change. @throws RangeError */
  readonly pageNow: (number: number) => PageFacts;
  readonly budgets: Budgets;
  /** The engine's document with every change in it: for this room only, and to read only. */
  readonly engine: Engine;
  /** An indirect object's value; null when there is none. */
  readonly get: (num: number) => PdfValue;
  /** Follows references to a value; null for circles and dead ends. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  readonly entry: (dict: PdfDict, key: string) => PdfValue;
  /**
   * Replaces an object, or makes one under a number of `reserve`: reading and writing see it at once, the file on disk stays
   * as it is. With `data`, encoded as the dictionary says, it is a stream; without, a stream keeps its bytes.
   */
  readonly set: (num: number, value: PdfValue, data?: Uint8Array | FileRange) => void;
  /** Sets or removes (`undefined`) what lies at the end of a way of keys from an object, through references too. */
  readonly put: (num: number, way: readonly (string | number)[], value: PdfValue | undefined) => void;
  /** A number for a new object. */
  readonly reserve: () => number;
  /** Puts bytes aside on disk, for `set` later. */
  readonly spool: (data: Uint8Array) => FileRange;
  /** Drops what was read of an object, to save memory: nothing changed. */
  readonly release: (num: number) => void;
  /** Grows with every change: what was derived from objects before then may no longer hold. */
  readonly generation: number;
  readonly stream: (num: number) => Uint8Array;
  /** Some kilobytes from the beginning of a decoded stream. */
  readonly streamHead: (num: number) => Uint8Array;
  readonly rawStream: (num: number) => Uint8Array;
  /** The same without a copy: the bytes hold while `use` runs. */
  readonly borrowStream: (num: number, use: (bytes: Uint8Array) => void) => void;
  /** Where the raw bytes of a stream lie on disk; null when only the engine has them. */
  readonly streamRange: (num: number, dict: PdfDict) => FileRange | null;
  /** How the file on disk is laid out; null where that is not beyond doubt. */
  readonly layout: FileLayout | null;
  readonly close: () => void;
}

/** Where objects lie in a sound file that was written in one go. */
export interface FileLayout {
  readonly places: ObjectPlaces['places'];
  /** Where an object lies that is as it was; null for one that was changed, lies in an object stream or is not there. */
  readonly extent: (num: number) => Extent | null;
  /** The object is not what it was when the file was opened. */
  readonly isChanged: (num: number) => boolean;
}

export interface OpenOptions {
  path: string;
  password?: string | undefined;
  budgets?: Partial<Budgets>;
}

/** Parsed objects kept at a time; beyond it all are forgotten and read again when asked for. */
const maxCachedObjects = 100_000;
const emptyDict: PdfDict = { kind: 'dict', map: new Map(), stream: 0 };

/**
 * Opens a PDF from disk.
 * @throws FileFaultError FILE_NOT_FOUND, PDF_EMPTY, PDF_TOO_LARGE, PDF_NOT_PDF, PDF_DAMAGED, PDF_ENCRYPTED
 *   {isPasswordWrong}, PDF_NO_PAGES, PDF_MEMORY, PDF_LIMIT_*
 */
export function openPdf(options: OpenOptions): PdfFile {
  const budgets = { ...defaultBudgets, ...options.budgets };
  const disk = openDiskFile(options.path, budgets.fileBytes);
  try {
    return openFrom(disk, options, budgets);
  } catch (error) {
    disk.close();
    throw error;
  }
}

function openFrom(disk: DiskFile, options: OpenOptions, budgets: Budgets): PdfFile {
  const structure = readStructure(disk, budgets.xrefSections);
  const steady = createSteadyEngine(disk, structure.headerOffset >= 0, (engine) => unlock(engine, options.password));
  const isDamaged = structure.problems.some((problem) => repairs.has(problem));
  const table = isDamaged || structure.headerOffset !== 0 ? null : readObjectPlaces(disk);
  const plain = table && openIfSound(disk, table);
  if (!plain) openOrExplain(steady, structure);

  const trailer =
    plain && table ? table.trailer : (asDict(readEngineObject(steady.current().getTrailer(), 0)) ?? emptyDict);
  let objectCount = plain && table ? table.count : steady.current().countObjects();
  if (objectCount > budgets.objects) throw new FileFaultError('PDF_LIMIT_OBJECTS', { limit: budgets.objects });
  const changes = createChanges();
  const { get, resolve, forget, release } = objectReader(steady, plain, changes.get);
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
  const layout: FileLayout | null =
    plain && table?.isFirstWriting
      ? {
          places: table.places,
          isChanged: (num) => changes.get(num) !== undefined,
          extent(num) {
            if (changes.get(num) !== undefined) return null;
            const value = plain.get(num);
            if (!isDict(value) || value.stream === 0) return value === undefined ? null : plain.extent(num, null);
            const length = resolve(value.map.get('Length'));
            return typeof length === 'number' ? plain.extent(num, length) : null;
          },
        }
      : null;
  const fromDisk = (num: number): Uint8Array | null => {
    const dict = get(num);
    const range = isDict(dict) && dict.stream !== 0 ? streamRange(num, dict) : null;
    return range && readRange(range);
  };
  const streams = createStreams(steady, budgets, resolve, fromDisk, (num) => {
    if (changes.get(num) !== undefined) toldEngine();
  });
  const readCatalog = (): PdfDict => asDict(resolve(trailer.map.get('Root'))) ?? emptyDict;
  const catalog = readCatalog();
  const encrypt = asDict(resolve(trailer.map.get('Encrypt')));
  let pages: readonly PageFacts[] | null = readPages(catalog, objectCount, get, resolve, budgets);
  let pageObjects = new Set(pages.map((page) => page.object));
  /** Pages that changed since: to be read again, one by one. */
  const changedPages = new Set<number>();
  let generation = 0;
  const currentPages = (): readonly PageFacts[] => {
    if (!pages) {
      pages = readPages(readCatalog(), objectCount, get, resolve, budgets);
      pageObjects = new Set(pages.map((page) => page.object));
    } else if (changedPages.size > 0) {
      pages = pages.map((page) => (changedPages.has(page.object) ? readAgain(page, get, resolve) : page));
    }
    changedPages.clear();
    return pages;
  };
  if (pages.length === 0) throw new FileFaultError(structure.headerOffset < 0 ? 'PDF_NOT_PDF' : 'PDF_NO_PAGES');
  const firstNew = objectCount;
  const set: PdfFile['set'] = (num, value, data) => {
    const before = num < firstNew || changes.get(num) !== undefined ? get(num) : null;
    const isStream = data !== undefined || (isDict(before) && before.stream !== 0);
    const map =
      isDict(value) && data ? new Map(value.map).set('Length', data.length) : isDict(value) ? value.map : null;
    changes.set(num, map ? { kind: 'dict', map, stream: isStream ? num : 0 } : value, data);
    forget(num);
    // Nothing that was read before knows of a new object.
    if (num >= firstNew && before === null) return;
    streams.forget();
    if (pageObjects.has(num) && isDict(value)) changedPages.add(num);
    else if (leadsToPages(before) || leadsToPages(value)) pages = null;
    generation += 1;
  };

  return {
    path: options.path,
    bytes: disk.size,
    structure,
    get isRepaired() {
      return isDamaged || steady.wasRepaired();
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
      return currentPages().length;
    },
    get pages() {
      return currentPages();
    },
    pageNow(number) {
      const page = currentPages()[number - 1];
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
    borrowStream(num, use) {
      const bytes = fromDisk(num);
      if (bytes) return use(bytes);
      const object = (changes.get(num) === undefined ? steady.current() : toldEngine()).newIndirect(num);
      const buffer = tolerant(() => object.readRawStream(), null);
      object.destroy();
      use(buffer?.asUint8Array() ?? new Uint8Array(0));
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

/** Problems that make a reader rebuild or guess; the others are only remarks. */
const repairs = new Set<string>([
  'header.missing',
  'end.missing',
  'startxref.missing',
  'xref.offset',
  'xref.entries',
  'xref.loop',
  'trailer.unreadable',
]);

/** Null unless catalog and pages are found without an engine: then nothing needs one that does not draw. */
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
    // Without a header it was never one; with it, it is one that broke.
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

const asDict = (value: PdfValue): PdfDict | null => (isDict(value) ? value : null);

/** Takes an engine object as text and reads that: one call into the engine per object instead of one per entry. */
function readEngineObject(object: ReturnType<Engine['getTrailer']>, num: number): PdfValue {
  const isStream = num !== 0 && object.isStream();
  const resolved = object.resolve();
  const text = resolved.isNull() ? 'null' : resolved.toString(true, true);
  object.destroy();
  // Null is one shared object.
  if (!resolved.isNull()) resolved.destroy();
  return parseObject(Buffer.from(text, 'latin1'), isStream ? num : 0);
}

function objectReader(
  steady: SteadyEngine,
  plain: PlainObjects | null,
  changed: (num: number) => PdfValue | undefined,
): Pick<PdfFile, 'get' | 'resolve' | 'release'> & { forget: (num: number) => void } {
  const cache = new Map<number, PdfValue>();
  /** Answers for objects that must not be asked for again. */
  const kept = new Map<number, PdfValue>();
  const get = (num: number): PdfValue => {
    const known = changed(num) ?? cache.get(num) ?? kept.get(num);
    if (known !== undefined) return known;
    let value: PdfValue | undefined = num > 0 ? plain?.get(num) : null;
    if (value === undefined) {
      value = null;
      steady.read(num, (engine) => {
        value = tolerant(() => readEngineObject(engine.newIndirect(num), num), null);
      });
    }
    if (steady.isBroken(num)) kept.set(num, value);
    if (cache.size >= maxCachedObjects) cache.clear();
    cache.set(num, value);
    return value;
  };
  const resolve = (value: PdfValue | undefined): PdfValue => {
    let current = value;
    // An object that is itself a reference is not legal; a short chain is followed all the same.
    for (let steps = 0; isRef(current); steps += 1) {
      if (steps > 10) return null;
      current = get(current.num);
    }
    return current ?? null;
  };
  return {
    get,
    resolve,
    release: (num) => void cache.delete(num),
    forget: (num) => {
      cache.delete(num);
      kept.delete(num);
    },
  };
}

function readPages(
  catalog: PdfDict,
  objectCount: number,
  get: PdfFile['get'],
  resolve: PdfFile['resolve'],
  budgets: Budgets,
): PageFacts[] {
  const inTree = walkPageTree(catalog.map.get('Pages'), resolve, budgets.pages);
  const nodes = inTree.length > 0 ? inTree : lostPages(catalog, objectCount, get, resolve, budgets.pages);
  const labels = pageLabels(catalog, nodes.length, resolve);
  return nodes.map((node, index) => pageFacts(node, index + 1, labels[index] ?? String(index + 1), resolve));
}

/**
 * Pages of a file whose tree leads to none: pages found by their /Type in the order of their numbers, else as many
 * empty ones as the tree says it had, which is what other readers show of it.
 */
function lostPages(
  catalog: PdfDict,
  objectCount: number,
  get: PdfFile['get'],
  resolve: PdfFile['resolve'],
  maxPages: number,
): PageNode[] {
  const pages: PageNode[] = [];
  for (let num = 1; num < objectCount && pages.length < maxPages; num += 1) {
    const value = get(num);
    if (isDict(value) && isName(value.map.get('Type'), 'Page'))
      pages.push({ object: num, dict: value, inherited: new Map() });
  }
  const root = resolve(catalog.map.get('Pages'));
  const count = isDict(root) && isArray(resolve(root.map.get('Kids'))) ? resolve(root.map.get('Count')) : 0;
  if (pages.length > 0 || typeof count !== 'number' || !(count >= 1 && count <= maxPages)) return pages;
  return Array.from({ length: Math.floor(count) }, () => ({ object: 0, dict: emptyDict, inherited: new Map() }));
}

const boxKeys = { media: 'MediaBox', crop: 'CropBox', bleed: 'BleedBox', trim: 'TrimBox', art: 'ArtBox' } as const;

function pageFacts(node: PageNode, number: number, label: string, resolve: PdfFile['resolve']): PageFacts {
  const attribute = (key: string): PdfValue => resolve(node.dict.map.get(key) ?? node.inherited.get(key));
  const raw: Partial<Record<keyof RawBoxes, BoxArray | null>> = {};
  for (const name of boxNames) raw[name] = readBox(attribute(boxKeys[name]), resolve);
  const boxes = raw as RawBoxes;
  const rotate = attribute('Rotate');
  const rotateAsWritten = typeof rotate === 'number' ? rotate : 0;
  const userUnit = resolve(node.dict.map.get('UserUnit'));
  const annotations = resolve(node.dict.map.get('Annots'));
  return {
    number,
    object: node.object,
    label,
    dict: node.dict,
    boxes,
    effective: effectiveBoxes(boxes),
    rotate: quarterTurns(rotateAsWritten),
    rotateAsWritten,
    userUnit: typeof userUnit === 'number' && userUnit > 0 ? userUnit : 1,
    resources: asDict(attribute('Resources')),
    annotations: isArray(annotations) ? annotations : [],
    inherited: node.inherited,
  };
}

/** The facts of a page after its object was changed. */
function readAgain(page: PageFacts, get: PdfFile['get'], resolve: PdfFile['resolve']): PageFacts {
  const dict = asDict(get(page.object)) ?? emptyDict;
  return pageFacts({ object: page.object, dict, inherited: page.inherited }, page.number, page.label, resolve);
}

/** Catalogs and nodes of the page tree. */
const leadsToPages = (value: PdfValue): boolean =>
  isDict(value) && (value.map.has('Kids') || value.map.has('Pages') || value.map.has('PageLabels'));

/** Angles that are no multiple of 90 count as 0. */
function quarterTurns(degrees: number): 0 | 90 | 180 | 270 {
  const turned = ((degrees % 360) + 360) % 360;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
}

function versionOf(structure: Structure, catalog: PdfDict, resolve: PdfFile['resolve'], steady: SteadyEngine): string {
  const header = structure.headerVersion;
  const own = resolve(catalog.map.get('Version'));
  const catalogVersion = isName(own) && /^\d\.\d$/.test(own.name) ? own.name : null;
  if (header && catalogVersion) return Number(catalogVersion) > Number(header) ? catalogVersion : header;
  // Neither: what readers take it for.
  return header ?? catalogVersion ?? (steady.current().getVersion() / 10).toFixed(1);
}
