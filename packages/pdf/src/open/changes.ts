/**
 * What was changed in an open file: objects as plain values, new streams on disk. Reading sees them at once, writing too;
 * the engine is told only when somebody asks it for more than it can read from disk itself (a picture, an outline).
 */
import { type Engine, guarded } from './engine.ts';
import { toEngineValue, utf8Name } from './engine-values.ts';
import { type FileRange, readRange } from './plain-objects.ts';
import { createSpool } from './spool.ts';
import { isArray, isDict, isRef, type PdfDict, type PdfValue } from './values.ts';

export interface Changes {
  readonly get: (num: number) => PdfValue | undefined;
  /** Where a changed stream lies; undefined for one that still is what it was. */
  readonly range: (num: number) => FileRange | undefined;
  /** Without `data` an object keeps the bytes of its stream. */
  readonly set: (num: number, value: PdfValue, data?: Uint8Array | FileRange) => void;
  readonly spool: (data: Uint8Array) => FileRange;
  /** The engine holds something that it was not told yet. */
  readonly areUntold: () => boolean;
  readonly tell: (engine: Engine) => void;
  readonly close: () => void;
}

export function createChanges(): Changes {
  const values = new Map<number, PdfValue>();
  const ranges = new Map<number, FileRange>();
  const untold = new Set<number>();
  const spool = createSpool();
  return {
    get: (num) => values.get(num),
    range: (num) => ranges.get(num),
    set(num, value, data) {
      if (data instanceof Uint8Array) ranges.set(num, spool.append(data));
      else if (data) ranges.set(num, data);
      values.set(num, value);
      untold.add(num);
    },
    spool: spool.append,
    areUntold: () => untold.size > 0,
    tell(engine) {
      // Told in the order of their numbers: the engine counts new objects up one by one.
      for (const num of [...untold].sort((a, b) => a - b)) {
        const range = ranges.get(num);
        guarded(() => tellObject(engine, num, values.get(num) ?? null, range && readRange(range)));
      }
      untold.clear();
    },
    close: spool.close,
  };
}

function tellObject(engine: Engine, num: number, value: PdfValue, data: Uint8Array | undefined): void {
  while (engine.countObjects() <= num) engine.createObject();
  const object = engine.newIndirect(num);
  if (data) {
    object.writeObject(toEngineValue(engine, value));
    object.writeRawStream(data);
  } else if (isDict(value) && value.stream !== 0 && object.isStream()) {
    // Entry by entry: as another object it would lose its bytes.
    const kept = new Set<string>();
    for (const [key, entry] of value.map) {
      kept.add(utf8Name(key));
      object.put(utf8Name(key), toEngineValue(engine, entry));
    }
    const gone: string[] = [];
    object.forEach((_, key) => {
      if (!kept.has(String(key))) gone.push(String(key));
    });
    for (const key of gone) object.delete(key);
  } else object.writeObject(toEngineValue(engine, value));
  object.destroy();
}

/**
 * Sets or removes (`undefined`) what lies at the end of a way of keys that begins at an object and may lead through others.
 * Where the way breaks off nothing is changed.
 */
export function putAt(
  file: { get: (num: number) => PdfValue },
  num: number,
  way: readonly (string | number)[],
  value: PdfValue | undefined,
  set: (num: number, value: PdfValue) => void,
): void {
  const changed = changedAt(file.get(num), way, value, (other, rest) => putAt(file, other, rest, value, set));
  if (changed !== undefined) set(num, changed);
}

/** The value with the change in it; undefined where the way left the object (`elsewhere` is told) or broke off. */
function changedAt(
  from: PdfValue,
  [key, ...rest]: readonly (string | number)[],
  value: PdfValue | undefined,
  elsewhere: (num: number, rest: readonly (string | number)[]) => void,
): PdfValue | undefined {
  if (key === undefined) return undefined;
  const next = entryOf(from, key);
  if (rest.length > 0 && isRef(next)) {
    elsewhere(next.num, rest);
    return undefined;
  }
  const inner = rest.length === 0 ? value : changedAt(next ?? null, rest, value, elsewhere);
  if (rest.length > 0 && inner === undefined) return undefined;
  return withEntry(from, key, inner);
}

function entryOf(value: PdfValue, key: string | number): PdfValue | undefined {
  if (isDict(value)) return value.map.get(String(key));
  return isArray(value) ? value[Number(key)] : undefined;
}

function withEntry(value: PdfValue, key: string | number, entry: PdfValue | undefined): PdfValue | undefined {
  if (isArray(value)) {
    const list = [...value];
    if (entry === undefined) list.splice(Number(key), 1);
    else list[Number(key)] = entry;
    return list;
  }
  if (!isDict(value)) return undefined;
  const map = new Map(value.map);
  if (entry === undefined) map.delete(String(key));
  else map.set(String(key), entry);
  return { ...value, map } satisfies PdfDict;
}
