import type { Font, PdfFile } from '@pdf2press/pdf';

const readable = new WeakMap<PdfFile, Map<number, boolean>>();

/**
 * Whether an embedded font program begins with a known signature: Type 1 `%!` or PFB, sfnt `00010000`, `true`, `OTTO`,
 * `ttcf`, or CFF version 1. Renderers replace other programs by a substitute font.
 */
export function isProgramReadable(file: PdfFile, font: Font): boolean {
  let known = readable.get(file);
  if (!known) {
    known = new Map();
    readable.set(file, known);
  }
  let answer = known.get(font.program);
  if (answer === undefined) {
    answer = looksRight(file.stream(font.program));
    known.set(font.program, answer);
  }
  return answer;
}

function looksRight(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const head = String.fromCharCode(...bytes.subarray(0, 4));
  if (head === 'OTTO' || head === 'true' || head === 'ttcf' || head === '\0\x01\0\0') return hasSfntTables(bytes);
  return head.startsWith('%!') || bytes[0] === 0x80 || (bytes[0] === 1 && (bytes[2] ?? 0) >= 4);
}

/** Whether all tables are inside the file; the padding after the last one may be missing. */
function hasSfntTables(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) === 0x74746366 || bytes.length < 12) return bytes.length >= 12;
  const count = view.getUint16(4);
  if (count === 0 || 12 + count * 16 > bytes.length) return false;
  for (let i = 0; i < count; i += 1) {
    const entry = 12 + i * 16;
    if (view.getUint32(entry + 8) + view.getUint32(entry + 12) > bytes.length + 3) return false;
  }
  return true;
}
