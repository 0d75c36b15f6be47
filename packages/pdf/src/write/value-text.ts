import { isArray, isDict, isName, isRef, isString, type PdfDict, type PdfValue } from '../open/values.ts';

/** Maps an object number to that of the written file; 0 makes the reference null. */
export type MapReference = (num: number) => number;

/** A number in PDF syntax: no exponent, no trailing zeros. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  if (!Number.isFinite(value)) return '0';
  const text = String(value);
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') || '0' : text;
}

const regularName = /^[!-~]*$/;
const delimiters = /[()<>[\]{}/%#]/;

/** A name with its slash; irregular characters are written as `#xx` (ISO 32000-1, 7.3.5). */
export function nameText(name: string): string {
  if (regularName.test(name) && !delimiters.test(name)) return `/${name}`;
  let text = '/';
  for (let i = 0; i < name.length; i++) {
    const char = name.charAt(i);
    const code = name.charCodeAt(i) & 0xff;
    text += code > 32 && code < 127 && !delimiters.test(char) ? char : `#${code.toString(16).padStart(2, '0')}`;
  }
  return text;
}

/** A string in PDF syntax: literal if all bytes are printable ASCII, else hexadecimal (ISO 32000-1, 7.3.4). */
export function stringText(bytes: Uint8Array): string {
  let literal = '(';
  for (const byte of bytes) {
    if (byte < 32 || byte > 126)
      return `<${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}>`;
    literal += byte === 40 || byte === 41 || byte === 92 ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
  }
  return `${literal})`;
}

/** A text string: printable ASCII unchanged, other text as UTF-16 with byte order mark (ISO 32000-1, 7.9.2.2). */
export function textStringText(text: string): string {
  return stringText(
    /^[ -~]*$/.test(text)
      ? Buffer.from(text, 'latin1')
      : Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]),
  );
}

/** A value in PDF syntax with one character per byte; references are renumbered with `map`. */
export function valueText(value: PdfValue, map: MapReference): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (isName(value)) return nameText(value.name);
  if (isRef(value)) {
    const num = map(value.num);
    return num === 0 ? 'null' : `${num} 0 R`;
  }
  if (isString(value)) return stringText(value.bytes);
  if (isArray(value)) return `[${value.map((entry) => valueText(entry, map)).join(' ')}]`;
  return isDict(value) ? `<<${entriesText(value, map)}>>` : 'null';
}

const noKeys: ReadonlySet<string> = new Set();

/** The entries of a dictionary in PDF syntax, without brackets and without the keys in `without`. */
export function entriesText(dict: PdfDict, map: MapReference, without: ReadonlySet<string> = noKeys): string {
  let text = '';
  for (const [key, value] of dict.map) {
    if (without.has(key)) continue;
    const written = valueText(value, map);
    // Values that begin with a delimiter need no space after the key.
    text += /^[/(<[]/.test(written) ? nameText(key) + written : `${nameText(key)} ${written}`;
  }
  return text;
}
