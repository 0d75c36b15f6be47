/**
 * The inner loop of `pixel-table.ts` as a WebAssembly program, assembled here: it multiplies four components at once, which
 * takes two fifths of the time of JavaScript. Instructions are those of the WebAssembly specification, version 2.
 */

/** Pixels that one call converts at most. */
export const pixelsPerCall = 1 << 16;

/** Bytes of one point of the table: four components of 16 bits. */
export const pointBytes = 8;
/** Bytes of one rule: the distances to the second and third corner, then the weights of the corners, two in a number. */
export const ruleBytes = 16;
/** Distances and weights are packed into one number; these are the bits of the rule. */
export const ruleBits = 8;

/** Addresses: for each level of each axis how far its cell is and its part of the rule, then the rules, then the table. */
const axisBytes = 256 * 4;
const rulesAt = 3 * axisBytes;
const tableAt = rulesAt + 2 ** ruleBits * ruleBytes;

/** Unsigned and signed LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}
function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const number = (value: number) => [0x41, ...signed(value)];
const add = [0x6a];
const and = [0x71];
const shiftLeft = [0x74];
const shiftRight = [0x76];
/** Access to memory at an address on the stack and `offset` bytes after it; alignment is only a hint. */
const access = (code: readonly number[]) => (offset: number) => [...code, 0, ...unsigned(offset)];
const load = access([0x28]);
const loadByte = access([0x2d]);
const store = access([0x36]);
const storeByte = access([0x3a]);
const storeTwoBytes = access([0x3b]);
const vector = (code: number) => [0xfd, ...unsigned(code)];
const loadPoint = access(vector(0x5d));
const loadToAll = access(vector(0x09));
const shuffle = (lanes: readonly number[]) => [...vector(0x0d), ...lanes];
const copyToAll = vector(0x11);
const firstNumber = [...vector(0x1b), 0];
const shiftAllRight = vector(0xad);
const addAll = vector(0xae);
/** Multiplies eight numbers of 16 bits and adds neighbours. */
const multiplyPairs = vector(0xba);

/** The components of two points, one beside the other. */
const besideEachOther = shuffle([0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23]);
/** The lowest byte of each of four numbers, together in the first one. */
const lowestBytes = shuffle([0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Locals: the pixel, the end of the pixels and the output are addresses. */
const [pixel, end, output, place, rule, word, sums] = [0, 1, 2, 3, 4, 5, 6];

/** Converts the pixel and leaves its four components in `word`, the first in the lowest byte. `opposite`: the fourth corner. */
const look = (opposite: number): number[] => [
  ...[0, 1, 2].flatMap((axis) => [
    ...[...get(pixel), ...loadByte(axis), ...number(2), ...shiftLeft, ...load(axis * axisBytes)],
    ...(axis > 0 ? add : []),
  ]),
  ...set(place),
  ...[...get(place), ...number(2 ** ruleBits - 1), ...and, ...number(4), ...shiftLeft, ...set(rule)],
  ...[...get(place), ...number(ruleBits), ...shiftRight, ...set(place)],
  ...[...get(place), ...loadPoint(tableAt)],
  ...[...get(place), ...get(rule), ...load(rulesAt), ...add, ...loadPoint(tableAt)],
  ...[...besideEachOther, ...get(rule), ...loadToAll(rulesAt + 8), ...multiplyPairs],
  ...[...get(place), ...get(rule), ...load(rulesAt + 4), ...add, ...loadPoint(tableAt)],
  ...[...get(place), ...loadPoint(tableAt + opposite)],
  ...[...besideEachOther, ...get(rule), ...loadToAll(rulesAt + 12), ...multiplyPairs],
  // The sums have eight fractional bits; half of one rounds them.
  ...[...addAll, ...number(128), ...copyToAll, ...addAll, ...number(8), ...shiftAllRight],
  ...[...set(sums), ...get(sums), ...get(sums), ...lowestBytes, ...firstNumber, ...set(word)],
];

const inverted = [...get(word), ...number(-1), 0x73];
/** Writes the four components one after the other. */
const storeWord = [...get(output), ...get(word), ...store(0), ...get(output), ...number(4), ...add, ...set(output)];
/** Writes the first three inverted in the place of the pixel, and the fourth apart from them. */
const storeApart = [
  ...[...get(pixel), ...inverted, ...storeTwoBytes(0)],
  ...[...get(pixel), ...inverted, ...number(16), ...shiftRight, ...storeByte(2)],
  ...[...get(output), ...get(word), ...number(24), ...shiftRight, ...storeByte(0)],
  ...[...get(output), ...number(1), ...add, ...set(output)],
];

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
const name = (text: string): number[] => [text.length, ...Buffer.from(text, 'latin1')];
const [int, vectorType, loop, nothing, isLess, branchIf, done] = [0x7f, 0x7b, 0x03, 0x40, 0x49, 0x0d, 0x0b];

/** A function of three addresses that goes through the pixels. */
function body(opposite: number, storing: readonly number[]): number[] {
  const code = [
    // The locals beside the parameters: three numbers and a vector.
    ...[2, 3, int, 1, vectorType, loop, nothing, ...look(opposite), ...storing],
    ...[...get(pixel), ...number(3), ...add, ...set(pixel)],
    ...[...get(pixel), ...get(end), isLess, branchIf, 0, done, done],
  ];
  return [...unsigned(code.length), ...code];
}

/** What is used of it; the types of Node.js do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Exports {
  memory: { buffer: ArrayBuffer };
  words: (pixels: number, end: number, output: number) => void;
  apart: (pixels: number, end: number, output: number) => void;
}

export interface PixelProgram {
  /** To be filled by the caller: levels of three axes (256 each), rules, and points with `pointBytes` each. */
  readonly axes: Int32Array;
  readonly rules: Int32Array;
  readonly points: Int16Array;
  /** Converts at most `pixelsPerCall` pixels to four interleaved components, which the next call overwrites. */
  words(pixels: Uint8Array): Uint8Array;
  /** Converts as many pixels in place to three inverted components, and writes the fourth to `fourth`. */
  apart(pixels: Uint8Array, fourth: Uint8Array): void;
}

/**
 * Makes the program.
 * @param points how many the table has
 * @param opposite bytes from the lowest corner of a cell to its highest one
 */
export function createPixelProgram(points: number, opposite: number): PixelProgram {
  const inputAt = tableAt + points * pointBytes;
  const outputAt = inputAt + pixelsPerCall * 3;
  const pages = Math.ceil((outputAt + pixelsPerCall * 4) / 2 ** 16);
  const bodies = [body(opposite, storeWord), body(opposite, storeApart)];
  const program = Uint8Array.from([
    ...[0, ...Buffer.from('asm', 'latin1'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, int, int, int, 0]),
    ...section(3, [bodies.length, 0, 0]),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, [3, ...name('memory'), 2, 0, ...name('words'), 0, 0, ...name('apart'), 0, 1]),
    ...section(10, [bodies.length, ...bodies.flat()]),
  ]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program));
  const { memory, words, apart } = exports as Exports;
  const bytes = new Uint8Array(memory.buffer);
  return {
    axes: new Int32Array(memory.buffer, 0, rulesAt / 4),
    rules: new Int32Array(memory.buffer, rulesAt, (tableAt - rulesAt) / 4),
    points: new Int16Array(memory.buffer, tableAt, points * (pointBytes / 2)),
    words(pixels) {
      bytes.set(pixels, inputAt);
      words(inputAt, inputAt + pixels.length, outputAt);
      return bytes.subarray(outputAt, outputAt + (pixels.length / 3) * 4);
    },
    apart(pixels, fourth) {
      bytes.set(pixels, inputAt);
      apart(inputAt, inputAt + pixels.length, outputAt);
      pixels.set(bytes.subarray(inputAt, inputAt + pixels.length));
      fourth.set(bytes.subarray(outputAt, outputAt + fourth.length));
    },
  };
}
