const pairsOrHalves = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

const storableText = (text: string): string =>
  text.replaceAll('\0', '\ufffd').replace(pairsOrHalves, (found) => (found.length === 2 ? found : '\ufffd'));

/**
 * The same value with texts that Postgres can store: names in a PDF (fonts, inks, layers) are any bytes, and U+0000 or
 * half of a surrogate pair fits into no column. They become U+FFFD, as what cannot be read is shown everywhere.
 */
export function storable<T>(value: T): T;
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map((item) => storable(item));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]));
}
