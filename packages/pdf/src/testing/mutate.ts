import { seeded } from '@pdf2press/config/seeded';

type Random = () => number;
type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

const at = (bytes: Uint8Array, random: Random): number => Math.floor(random() * Math.max(1, bytes.length));
const splice = (bytes: Uint8Array, start: number, end: number, insert: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(end)]);
const nothing = new Uint8Array(0);

const tokens = [
  '<<',
  '>>',
  '[',
  ']',
  'obj',
  'endobj',
  'stream',
  'endstream',
  ' 0 R',
  '/Kids',
  '/Length 0',
  'null',
  '(',
  ')',
  'xref',
  '%',
  '-1',
  '99999999999',
  'Q',
  'BI',
  'ID',
];

const mutations: readonly Mutation[] = [
  // Change one byte.
  (bytes, random) => {
    const copy = Uint8Array.from(bytes);
    for (let i = 0; i <= random() * 8; i += 1) copy[at(bytes, random)] = Math.floor(random() * 256);
    return copy;
  },
  // Remove, duplicate or move a range.
  (bytes, random) => {
    const start = at(bytes, random);
    return splice(bytes, start, start + Math.floor(random() * 200), nothing);
  },
  (bytes, random) => {
    const start = at(bytes, random);
    const piece = bytes.subarray(start, start + Math.floor(random() * 400));
    const to = at(bytes, random);
    return splice(bytes, to, to, piece);
  },
  // Truncate.
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  // Insert a token.
  (bytes, random) => {
    const start = at(bytes, random);
    return splice(bytes, start, start, Buffer.from(` ${tokens[Math.floor(random() * tokens.length)]} `));
  },
  // Replace a number: lengths, offsets, references, coordinates.
  (bytes, random) => {
    const text = Buffer.from(bytes).toString('latin1');
    const numbers = [...text.matchAll(/\d+/g)];
    const chosen = numbers[Math.floor(random() * numbers.length)];
    if (!chosen) return bytes;
    const values = ['0', '-1', '1', '4294967296', '65536', '1e10', String(Math.floor(random() * 50))];
    const value = values[Math.floor(random() * values.length)] ?? '0';
    return splice(bytes, chosen.index, chosen.index + chosen[0].length, Buffer.from(value));
  },
  // Replace a name by another one of the file.
  (bytes, random) => {
    const text = Buffer.from(bytes).toString('latin1');
    const names = [...text.matchAll(/\/[A-Za-z0-9]+/g)];
    const [from, to] = [names[Math.floor(random() * names.length)], names[Math.floor(random() * names.length)]];
    return from && to ? splice(bytes, from.index, from.index + from[0].length, Buffer.from(to[0])) : bytes;
  },
];

/** A damaged copy with one to four mutations, equal for equal seeds. */
export function mutate(bytes: Uint8Array, seed: number): Uint8Array {
  const random = seeded(seed);
  let result = bytes;
  for (let i = 0; i <= Math.floor(random() * 4); i += 1) {
    const mutation = mutations[Math.floor(random() * mutations.length)];
    if (mutation) result = mutation(result, random);
  }
  return result;
}
