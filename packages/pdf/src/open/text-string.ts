/** PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, annex D). */
const docEncoding: Readonly<Record<number, string>> = Object.fromEntries([
  ...[...'˘ˇˆ˙˝˛˚˜'].map((char, index) => [0x18 + index, char] as const),
  ...[...'•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'].map((char, index) => [0x80 + index, char] as const),
  [0xa0, '€'] as const,
]);

/**
 * Decodes a text string: UTF-16 or UTF-8 if it starts with a byte order mark, else PDFDocEncoding (ISO 32000-1,
 * 7.9.2.2; UTF-8: ISO 32000-2).
 */
export function pdfText(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes.subarray(3));
  let text = '';
  for (const byte of bytes) text += docEncoding[byte] ?? String.fromCharCode(byte);
  return text;
}
