/**
 * Changes made to an open file: changed objects as plain values, new streams in a file on disk. Reading and writing use
 * them at once. MuPDF receives them only when an operation needs it (rendering, glyph outlines).
 */
import { type Engine, guarded } from './engine.ts';
import { toEngineValue, utf8Name } from './engine-values.ts';
import { type FileRange, readRange } from './plain-objects.ts';
import { createSpool } from './spool.ts';
import { isArray, isDict, isRef, type PdfDict, type PdfValue } from './values.ts';

export interface Changes {
  readonly get: (num: number) => PdfValue | undefined;
  /** Where the data of a changed stream lies on disk; undefined when the stream data is unchanged. */
  readonly range: (num: number) => FileRange | undefined;
  /** Without `data`, an existing stream object keeps its data. */
  readonly set: (num: number, value: PdfValue, data?: Uint8Array | FileRange) => void;
  readonly spool: (data: Uint8Array) => FileRange;
  /** True when there are changes that MuPDF has not received yet. */
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
      // In ascending order: MuPDF assigns numbers to new objects one after another.
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
    // Update the entries one by one: replacing the whole object would drop its stream data.
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
 * Sets the value at the end of a path of dictionary keys and array indexes that starts at object `num`; `undefined`
 * removes it. The path may pass through references to other objects. If the path does not exist, nothing is changed.
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

/**
 * Returns `from` with the change applied. Undefined when the path does not exist, or when it continues in another
 * object (then `elsewhere` is called with that object and the rest of the path).
 */
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
