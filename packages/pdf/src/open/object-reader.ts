import { type Engine, tolerant } from './engine.ts';
import { parseObject } from './parse-object.ts';
import type { PlainObjects } from './plain-objects.ts';
import type { SteadyEngine } from './steady-engine.ts';
import { isRef, type PdfValue } from './values.ts';

export interface ObjectReader {
  /** The value of an indirect object; null when there is none. */
  readonly get: (num: number) => PdfValue;
  /** Follows references to a value; null for circular references and missing objects. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  /** Removes an object from the cache, to save memory. */
  readonly release: (num: number) => void;
  /** Must be called after an object was changed. */
  readonly forget: (num: number) => void;
}

/** Size of the object cache; when it is full it is emptied and objects are read again. */
const maxCachedObjects = 100_000;

/** Takes the text of a MuPDF object and parses it: one call into WebAssembly per object instead of one per entry. */
export function readEngineObject(object: ReturnType<Engine['getTrailer']>, num: number): PdfValue {
  const isStream = num !== 0 && object.isStream();
  const resolved = object.resolve();
  const text = resolved.isNull() ? 'null' : resolved.toString(true, true);
  object.destroy();
  // MuPDF has one shared null object, which must not be destroyed.
  if (!resolved.isNull()) resolved.destroy();
  return parseObject(Buffer.from(text, 'latin1'), isStream ? num : 0);
}

/** Reads objects from changes, cache, disk or MuPDF, in this order. */
export function createObjectReader(
  steady: SteadyEngine,
  plain: PlainObjects | null,
  changed: (num: number) => PdfValue | undefined,
): ObjectReader {
  const cache = new Map<number, PdfValue>();
  // Values of broken objects: asking MuPDF for them again would make it repair the file again.
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
    // A reference that points to a reference is not allowed, but short chains occur and are followed.
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
