/** Codes that show the glyph .notdef: CID 0 with an Identity encoding, and codes that Differences maps to .notdef. */
import { type Font, nameOf, namesByCode, type PdfFile } from '@pdf2press/pdf';

/** Whether a text in this font shows .notdef. */
export function showsNotdef(file: PdfFile, font: Font, bytes: Uint8Array): boolean {
  const codes = notdefCodes(file, font);
  if (!codes) return false;
  const step = font.isComposite ? 2 : 1;
  for (let i = 0; i + step <= bytes.length; i += step) {
    const code = step === 2 ? ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0) : (bytes[i] ?? 0);
    if (codes.has(code)) return true;
  }
  return false;
}

const notdefs = new WeakMap<Font, ReadonlySet<number> | null>();
function notdefCodes(file: PdfFile, font: Font): ReadonlySet<number> | null {
  let known = notdefs.get(font);
  if (known === undefined) {
    known = readNotdefCodes(file, font);
    notdefs.set(font, known);
  }
  return known;
}

function readNotdefCodes(file: PdfFile, font: Font): ReadonlySet<number> | null {
  if (font.isComposite) {
    const encoding = nameOf(file, font.dict, 'Encoding');
    return encoding === 'Identity-H' || encoding === 'Identity-V' ? new Set([0]) : null;
  }
  const names = namesByCode(file, file.entry(font.dict, 'Encoding'));
  const codes = new Set([...names].flatMap(([code, name]) => (name === '.notdef' ? [code] : [])));
  return codes.size > 0 ? codes : null;
}
