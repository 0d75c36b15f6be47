/** CCITT Group 4 encoder (ITU-T T.6) for 1-bit pictures. Own code, because no maintained library on npm encodes it. */

/** Codes for runs of 0 to 63, then of 64, 128 … 1728 (ITU-T T.4, tables 2 and 3a). */
const white =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100 11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011'.split(
    ' ',
  );
const black =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111 0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 0000001100100 0000001100101'.split(
    ' ',
  );
/** Codes for runs of 1792, 1856 … 2560 of both colours (ITU-T T.4, table 3b). */
const long =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 000000011100 000000011101 000000011110 000000011111'.split(
    ' ',
  );
const pass = '0001';
const horizontal = '001';
/** Codes for an edge that lies -3 … +3 pixels to the right of the edge above. */
const vertical = ['0000010', '000010', '010', '1', '011', '000011', '0000011'] as const;
const endOfBlock = '000000000001000000000001';

const longest = 2560;

function runCode(length: number, isBlack: boolean): string {
  const codes = isBlack ? black : white;
  let text = '';
  let rest = length;
  for (; rest > longest; rest -= longest) text += long.at(-1);
  if (rest >= 1792) {
    text += long[Math.floor((rest - 1792) / 64)];
    rest %= 64;
  } else if (rest >= 64) {
    text += codes[63 + Math.floor(rest / 64)];
    rest %= 64;
  }
  return text + codes[rest];
}

/**
 * Encodes a 1-bit picture.
 * @param bits one entry per pixel, rows from the top; 0 is black
 * @returns data for `/CCITTFaxDecode` with `/K -1 /Columns width /Rows height`
 */
export function encodeGroup4(bits: Uint8Array, width: number, height: number): Uint8Array {
  let bytes = new Uint8Array(1 << 16);
  let length = 0;
  let pending = 0;
  let count = 0;
  const write = (code: string): void => {
    for (let at = 0; at < code.length; at += 1) {
      pending = (pending << 1) | (code.charCodeAt(at) & 1);
      count += 1;
      if (count < 8) continue;
      if (length === bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[length++] = pending;
      pending = 0;
      count = 0;
    }
  };

  const blank = new Uint8Array(width).fill(1);
  for (let row = 0; row < height; row += 1) {
    const above = row === 0 ? blank : bits.subarray((row - 1) * width, row * width);
    encodeRow(bits.subarray(row * width, (row + 1) * width), above, width, write);
  }
  write(endOfBlock);
  if (count > 0) write('0'.repeat(8 - count));
  return bytes.slice(0, length);
}

/** Position of the first pixel from `at` on that does not have `colour`. */
function edgeAfter(row: Uint8Array, at: number, colour: number, width: number): number {
  let x = at;
  while (x < width && (row[x] ? 1 : 0) === colour) x += 1;
  return x;
}

/** b1 of ITU-T T.6: the first changing element in the row above to the right of a0 that has the opposite colour. */
function edgeAbove(above: Uint8Array, from: number, colour: number, width: number): number {
  let x = Math.max(from, 0);
  // The colour of the pixel before the search position.
  const left = from < 0 ? 1 : above[from] ? 1 : 0;
  if (from >= 0) x = from + 1;
  let before = left;
  for (; x < width; x += 1) {
    const here = above[x] ? 1 : 0;
    if (here !== before && here !== colour) return x;
    before = here;
  }
  return width;
}

function encodeRow(row: Uint8Array, above: Uint8Array, width: number, write: (code: string) => void): void {
  // An imaginary white pixel precedes each row.
  let at = -1;
  let colour = 1;
  while (at < width) {
    const a1 = edgeAfter(row, Math.max(at, 0), colour, width);
    const b1 = edgeAbove(above, at, colour, width);
    const b2 = edgeAfter(above, b1, 1 - colour, width);
    if (b2 < a1) {
      write(pass);
      at = b2;
      continue;
    }
    const code = vertical[a1 - b1 + 3];
    if (code !== undefined) {
      write(code);
      at = a1;
      colour = 1 - colour;
      continue;
    }
    const a2 = edgeAfter(row, a1, 1 - colour, width);
    write(horizontal + runCode(a1 - Math.max(at, 0), colour === 0) + runCode(a2 - a1, colour === 1));
    at = a2;
  }
}
