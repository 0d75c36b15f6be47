import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { attributeOf, composeWinmail, fixedProperty, namedProperty, type PackedPart } from '../testing/winmail.ts';
import { listPackedFiles, type PackedFile, readPackedFile } from './winmail.ts';

/** As a network hands it over. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function contentOf(bytes: Uint8Array, file: PackedFile, size = 7): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readPackedFile(inPieces(bytes, size), file)) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}

const listed = (bytes: Uint8Array, size = 7) => listPackedFiles(inPieces(bytes, size));
const namesOf = ({ files }: { files: readonly PackedFile[] }) => files.map(({ name }) => name);
const packed = (...parts: PackedPart[]) => composeWinmail({ parts });

test.each([1, 7, 64, 100_000])('in pieces of %i bytes: each file has its name, place and bytes', async (size) => {
  const bytes = packed(
    { name: 'Größe 印刷.pdf', title: 'GRE~1.PDF', mediaType: 'application/pdf', content: 'first' },
    { name: 'empty.pdf' },
    { name: 'third.tif', content: 'among', isAmongProperties: true },
  );
  const { files, isDamaged } = await listed(bytes, size);
  expect(isDamaged).toBe(false);
  expect(files.map(({ path: at, name, mediaType, bytes: length }) => [at, name, mediaType, length])).toEqual([
    ['1', 'Größe 印刷.pdf', 'application/pdf', 5],
    ['2', 'empty.pdf', '', 0],
    ['3', 'third.tif', '', 5],
  ]);
  expect(await Promise.all(files.map((file) => contentOf(bytes, file, size)))).toEqual(['first', '', 'among']);
});

test.each([
  [1252, [0xdc, 0x62], 'Üb'],
  [1251, [0xcf, 0xd0], 'ПР'],
  [932, [0x88, 0xf3], '印'],
  [65001, [0xc3, 0x9c], 'Ü'],
  [437, [0x41], 'A'],
])('a name in the code page %i is read', async (codePage, letters, text) => {
  const title = Buffer.concat([Buffer.from(letters), Buffer.from('.pdf')]);
  expect(namesOf(await listed(composeWinmail({ codePage, parts: [{ title, content: 'x' }] })))).toEqual([
    `${text}.pdf`,
  ]);
});

test('files of mails within it are found, up to a depth; drawings of other programs are none', async () => {
  const nest = (depth: number): PackedPart =>
    depth === 0 ? { name: 'deep.pdf', content: 'deep' } : { name: 'mail', mail: { parts: [nest(depth - 1)] } };
  const bytes = packed(
    { name: 'a.pdf', content: 'a' },
    {
      name: 'Forwarded',
      mail: { codePage: 1251, parts: [{ name: 'b.pdf', content: 'b' }, { title: Buffer.from([0xcf]) }] },
    },
    { name: 'drawing', method: 6, content: 'pixels' },
    { title: Buffer.from([0xdc]), content: 'c' },
  );
  const { files } = await listed(bytes);
  expect(files.map(({ path: at, name }) => [at, name])).toEqual([
    ['1', 'a.pdf'],
    ['2.1', 'b.pdf'],
    ['2.2', 'П'],
    ['4', 'Ü'],
  ]);
  expect(await contentOf(bytes, files[1] as PackedFile)).toBe('b');
  expect(namesOf(await listed(packed(nest(20))))).toEqual(['deep.pdf']);
  expect(await listed(packed(nest(21)))).toEqual({ files: [], isDamaged: false });
});

test('a picture is part of the text where the text shows it or it is hidden, other files never are', async () => {
  const { files } = await listed(
    packed(
      { name: 'logo.png', mediaType: 'image/png', contentId: 'logo', flags: 4 },
      { name: 'hidden.gif', isHidden: true },
      { name: 'photo.jpg', mediaType: 'image/jpeg', contentId: 'photo', flags: 0, isHidden: false },
      { name: 'named.png', contentId: 'named' },
      { name: 'hidden.pdf', mediaType: 'application/pdf', contentId: 'x', flags: 4, isHidden: true },
    ),
  );
  expect(files.filter(({ isPartOfText }) => isPartOfText).map(({ name }) => name)).toEqual(['logo.png', 'hidden.gif']);
});

test('two hundred files are found, and no more are looked for', async () => {
  const parts = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}.pdf`, content: 'x' }));
  expect((await listed(packed(...parts(200)), 65_536)).files).toHaveLength(200);
  expect((await listed(packed(...parts(201)), 65_536)).files).toHaveLength(200);
});

test('names up to two kilobytes are read, longer ones are passed over', async () => {
  const name = (letters: number) => 'n'.repeat(letters);
  expect(namesOf(await listed(packed({ name: name(1_023), title: 'short' })))).toEqual([name(1_023)]);
  expect(namesOf(await listed(packed({ name: name(1_024), title: 'short' })))).toEqual(['short']);
});

test('properties with names of their own, with several values and of unknown types harm nothing', async () => {
  const several = Buffer.concat([Buffer.from([0x03, 0x10, 0x01, 0x66, 2, 0, 0, 0]), Buffer.alloc(8, 1)]);
  const own = [
    namedProperty('colour of the card', Buffer.from('blue!')),
    several,
    fixedProperty(0x0002, 0x6600, Buffer.from([1, 0])),
  ];
  expect(namesOf(await listed(packed({ name: 'a.pdf', properties: own, content: 'x' })))).toEqual(['a.pdf']);
  const unknown = fixedProperty(0x0099, 0x6602, Buffer.alloc(4));
  expect(
    namesOf(await listed(packed({ name: 'a.pdf', title: 'b.pdf', properties: [unknown] }, { name: 'c.pdf' }))),
  ).toEqual(['b.pdf', 'c.pdf']);
});

test('of a damaged one, what is whole before the damage is found', async () => {
  const parts = [
    { name: 'a.pdf', content: 'aaaa' },
    { name: 'b.pdf', content: 'bbbb' },
  ];
  const bytes = packed(...parts);
  const broken = (change: (copy: Buffer) => Buffer | undefined) => {
    const copy = Buffer.from(bytes);
    return listed(change(copy) ?? copy);
  };
  const damaged = (names: string[]) => [names, true];
  const seen = async (found: ReturnType<typeof listed>) => [namesOf(await found), (await found).isDamaged];
  // Another byte in the second file, a sum that is wrong, an end that comes too early, a length that leads elsewhere.
  const second = bytes.indexOf('bbbb');
  expect(await seen(broken((copy) => void copy.write('x', second)))).toEqual(damaged(['a.pdf']));
  expect(await seen(broken((copy) => copy.subarray(0, second + 2)))).toEqual(damaged(['a.pdf']));
  expect(await seen(broken((copy) => void copy.writeUInt32LE(0xffff_fff0, second - 4)))).toEqual(damaged(['a.pdf']));
  expect(await seen(broken((copy) => void copy.writeUInt8(0, 0)))).toEqual(damaged([]));
  expect(await seen(broken((copy) => void copy.writeUInt8(copy.at(-1) === 0 ? 1 : 0, copy.length - 1)))).toEqual(
    damaged(['a.pdf']),
  );
  // Bytes behind the last attachment, which is whole.
  expect(await seen(broken((copy) => Buffer.concat([copy, Buffer.from('x')])))).toEqual(damaged(['a.pdf', 'b.pdf']));
  expect(await seen(listed(Buffer.alloc(0)))).toEqual(damaged([]));
  const stray = Buffer.concat([bytes.subarray(0, 6), attributeOf(2, 0x0006_800f, Buffer.from('x'))]);
  expect(await seen(listed(stray))).toEqual(damaged([]));
  // A mail within it that reaches beyond its attachment.
  const inner = composeWinmail({ parts });
  const outer = packed({ name: 'mail', mail: { parts } });
  const at = outer.indexOf(inner.subarray(0, 6), 6);
  outer.writeUInt32LE(outer.readUInt32LE(at - 20) - 8, at - 20);
  expect((await listed(outer)).isDamaged).toBe(true);
});

test('every single wrong byte is survived, and so is every early end', async () => {
  const bytes = packed(
    { name: 'a.pdf', content: 'aaaa', contentId: 'a', properties: [namedProperty('n', Buffer.from('v'))] },
    { name: 'mail', mail: { parts: [{ name: 'b.pdf', content: 'bbbb' }] } },
  );
  for (let at = 0; at < bytes.length; at += 1) {
    for (const value of [0, 0x7f, 0xff]) {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(value, at);
      const { files } = await listed(copy, 4096);
      expect(files.length).toBeLessThanOrEqual(2);
    }
    expect((await listed(bytes.subarray(0, at), 4096)).files.length).toBeLessThanOrEqual(2);
  }
});

test.each([
  [
    'attributes',
    99_000,
    101_000,
    (count: number) => Buffer.concat(Array(count).fill(attributeOf(1, 0x0001_8004, Buffer.alloc(0)))),
  ],
  [
    'properties',
    99_000,
    101_000,
    (count: number) => {
      const values = Buffer.alloc(8 + 4 * count);
      values.writeUInt32LE(0x6600_1003, 0);
      values.writeUInt32LE(count, 4);
      const all = Buffer.concat([Buffer.from([1, 0, 0, 0]), values]);
      return Buffer.concat([attributeOf(2, 0x0006_9002, Buffer.alloc(14)), attributeOf(2, 0x0006_9005, all)]);
    },
  ],
])('so many %s are read and no more', async (_, few, many, make) => {
  const head = packed();
  expect((await listed(Buffer.concat([head, make(few)]), 1_000_000)).isDamaged).toBe(false);
  expect((await listed(Buffer.concat([head, make(many)]), 1_000_000)).isDamaged).toBe(true);
});

test('an error of the stream is thrown as it is, and a file is read no further than it reaches', async () => {
  const bytes = packed({ name: 'a.pdf', content: 'aaaa' }, { name: 'b.pdf', content: 'b'.repeat(1000) });
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, 20);
    throw new Error('the line is cut');
  }
  await expect(listPackedFiles(failing())).rejects.toThrow('the line is cut');
  const { files } = await listed(bytes);
  let given = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of inPieces(bytes, 10)) {
      given += piece.length;
      yield piece;
    }
  }
  for await (const _ of readPackedFile(counted(), files[0] as PackedFile));
  expect(given).toBeLessThan(bytes.indexOf('aaaa') + 24);
});

const has = (program: string) => {
  try {
    execFileSync(program, ['--help'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ENOENT';
  }
};

describe('read by programs of others', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'winmail-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'winmail.dat');
  const programs: [string, string[]][] = [
    ['tnef', ['-C', folder, file]],
    ['ytnef', ['-F', '-f', folder, file]],
  ];
  test.for(programs)('%s finds the same files (skipped where it is not installed)', ([program, given], { skip }) => {
    skip(!has(program));
    const parts = [
      { name: 'first.pdf', title: 'first.pdf', content: 'the first' },
      { name: 'second.tif', title: 'second.tif', content: Buffer.alloc(70_000, 'x') },
    ];
    writeFileSync(file, packed(...parts));
    execFileSync(program, given, { stdio: 'ignore' });
    const found = readdirSync(folder).filter((name) => name !== 'winmail.dat');
    expect(found.sort()).toEqual(['first.pdf', 'second.tif']);
    for (const { name, content } of parts)
      expect(readFileSync(path.join(folder, name)).equals(Buffer.from(content))).toBe(true);
    for (const name of found) rmSync(path.join(folder, name));
  });
});
