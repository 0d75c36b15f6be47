import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceItem } from '../source.ts';
import { offline } from '../testing/offline.ts';
import { folderContract } from './contract.ts';
import { run } from './run.ts';

let root: string;
let time = 0;
const memory = new Map<string, unknown>();
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-hot-'));
  memory.clear();
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function look(
  settings: Record<string, unknown> = {},
  passed = 0,
  asked: readonly string[] = [],
  takesSidecars = false,
): Promise<SourceItem[]> {
  time += passed * 1000;
  const items: SourceItem[] = [];
  const parsed = folderContract.settings.parse({ path: 'in', ...settings });
  const tools = { root, memory, now: () => time, addressOf: async () => '', ...offline, takesSidecars };
  tools.asked = async () => new Map(asked.map((id) => [id, { name: 'a.pdf', sourceName: 'in' }]));
  const { signal } = new AbortController();
  const input = { settings: parsed, connection: undefined, cursor: undefined, signal, tools };
  for await (const item of run(input)) items.push(item);
  return items;
}
const put = async (name: string, text = 'x') => {
  await mkdir(path.dirname(path.join(root, 'in', name)), { recursive: true });
  await writeFile(path.join(root, 'in', name), text);
};

test('a file is taken when it has not changed for long enough, with the same key each time', async () => {
  await put('a.pdf');
  expect(await look()).toEqual([]);
  expect(await look({}, 5)).toEqual([]);
  await put('a.pdf', 'grown');
  expect(await look({}, 6)).toEqual([]);
  const [item] = await look({}, 10);
  expect(item).toMatchObject({ name: 'a.pdf', size: 5, sourceName: 'in' });
  expect((await look({}, 1))[0]?.externalId).toBe(item?.externalId);
  await utimes(path.join(root, 'in/a.pdf'), 1, 1);
  await look();
  expect((await look({}, 10))[0]?.externalId).not.toBe(item?.externalId);
});

test('a file that was taken is moved, and no file there is overwritten', async () => {
  for (const text of ['one', 'two']) {
    await put('a.pdf', text);
    await look();
    const [item] = await look({}, 10);
    await item?.settle('accepted');
  }
  expect((await readdir(path.join(root, 'in/processed'))).sort()).toEqual(['a (2).pdf', 'a.pdf']);
  expect(await look({ hasSubfolders: true }, 100)).toEqual([]);
});

test('refused files are moved aside; delete and leave work as named', async () => {
  await put('a.pdf');
  await look();
  await (await look({}, 10))[0]?.settle('rejected');
  expect(await readdir(path.join(root, 'in/rejected'))).toEqual(['a.pdf']);
  await put('b.pdf');
  await look();
  await (await look({ after: 'delete' }, 10))[0]?.settle('accepted');
  expect(await readdir(path.join(root, 'in'))).toEqual(['rejected']);
});

test('a refused file that is asked for is put back where it lay, and is the same one; a gone one is told', async () => {
  const settings = { hasSubfolders: true };
  await put('sub/with space.pdf');
  await look(settings);
  const [refused] = await look(settings, 10);
  await refused?.settle('rejected', 'It is too large.');
  expect((await readdir(path.join(root, 'in/rejected'))).sort()).toEqual(['with space.pdf', 'with space.pdf.txt']);
  const id = refused?.externalId ?? '';
  await look(settings, 0, [id]);
  expect(await readdir(path.join(root, 'in/rejected'))).toEqual([]);
  const [again] = await look(settings, 10, [id]);
  expect(again?.externalId).toBe(id);
  await again?.settle('accepted');
  const [gone] = await look(settings, 0, [id]);
  expect(gone).toMatchObject({ externalId: id, refusal: { code: 'file.gone' } });
});

describe('a file with its values beside it', () => {
  const lookBeside = (passed: number, settings = {}, asked: readonly string[] = []) =>
    look({ include: ['*'], ...settings }, passed, asked, true);
  const inside = async (folder = '') => (await readdir(path.join(root, 'in', folder))).sort();

  test('is one item, in whichever order they come, and both are put away', async () => {
    await put('card.json', '{"copies": 500}');
    await lookBeside(0);
    expect(await lookBeside(59)).toEqual([]);
    await put('Card.PDF', 'card');
    expect(await lookBeside(1)).toEqual([]);
    const [item, ...more] = await lookBeside(10);
    expect(more).toEqual([]);
    expect(item?.name).toBe('Card.PDF');
    expect(await item?.sidecar?.()).toEqual({ name: 'card.json', text: '{"copies": 500}' });
    await item?.settle('accepted');
    expect(await inside()).toEqual(['processed']);
    expect(await inside('processed')).toEqual(['Card.PDF', 'card.json']);
    expect(await lookBeside(1_000)).toEqual([]);
  });

  test('waits while either of them grows, and is taken without values after a minute', async () => {
    await put('a.pdf');
    await put('a.csv', 'copies');
    await lookBeside(0);
    await put('a.csv', 'copies\n500');
    expect(await lookBeside(10)).toEqual([]);
    expect(await lookBeside(10)).toHaveLength(1);
    await put('b.pdf');
    await lookBeside(0);
    const names = async (passed: number) => (await lookBeside(passed)).map(({ name }) => name);
    expect(await names(59)).toEqual(['a.pdf']);
    expect(await names(1)).toEqual(['a.pdf', 'b.pdf']);
  });

  test('values whose file does not come are refused after ten minutes; names that are not taken are left alone', async () => {
    await put('alone.xml', '<job/>');
    await lookBeside(0);
    expect(await lookBeside(599)).toEqual([]);
    const [item] = await lookBeside(1);
    expect(item).toMatchObject({ name: 'alone.xml', refusal: { code: 'sidecar.alone' } });
    await item?.settle('rejected', 'Its file has not come.');
    expect(await inside('rejected')).toEqual(['alone.xml', 'alone.xml.txt']);
    await put('other.xml', '<job/>');
    await lookBeside(0, { include: ['*.pdf'] });
    expect(await lookBeside(1_000, { include: ['*.pdf'] })).toEqual([]);
  });

  test('refused, both lie aside; asked for once more, both come back', async () => {
    await put('sub/a.pdf');
    await put('sub/a.JSON', '[');
    const settings = { hasSubfolders: true };
    await lookBeside(0, settings);
    const [refused] = await lookBeside(10, settings);
    await refused?.settle('rejected', 'The values cannot be read.');
    expect(await inside('rejected')).toEqual(['a.JSON', 'a.pdf', 'a.pdf.txt']);
    const id = refused?.externalId ?? '';
    await lookBeside(0, settings, [id]);
    expect(await inside('rejected')).toEqual([]);
    const [again] = await lookBeside(10, settings, [id]);
    expect(again?.externalId).toBe(id);
    expect(await again?.sidecar?.()).toEqual({ name: 'a.JSON', text: '[' });
  });

  test('of two files with one name the first has the values; of too many bytes nothing is read', async () => {
    await put('a.jpg');
    await put('a.pdf');
    await put('a.json', ' '.repeat(65_537));
    await lookBeside(0);
    const [only] = await lookBeside(10);
    await expect(only?.sidecar?.()).rejects.toMatchObject({ problems: [{ code: 'sidecar.tooLarge' }] });
    expect((await lookBeside(50)).map(({ name, sidecar }) => [name, sidecar !== undefined])).toEqual([
      ['a.jpg', true],
      ['a.pdf', false],
    ]);
  });

  test('is a file of its own where the workflow reads no values', async () => {
    await put('a.pdf');
    await put('a.json', '{}');
    await look({ include: ['*'] });
    expect((await look({ include: ['*'] }, 10)).map(({ name }) => name).sort()).toEqual(['a.json', 'a.pdf']);
  });
});

test('takes matching files, from subfolders only when configured, and follows no links', async () => {
  await put('a.PDF');
  await put('b.tmp');
  await put('.c.pdf');
  await put('sub/d.pdf');
  await symlink('/etc/hostname', path.join(root, 'in/e.pdf'));
  await look({ hasSubfolders: true });
  expect((await look({}, 10)).map((item) => item.name)).toEqual(['a.PDF']);
  await look({ hasSubfolders: true });
  expect((await look({ hasSubfolders: true }, 10)).map((item) => item.name).sort()).toEqual(['a.PDF', 'd.pdf']);
});

test('an empty file is left alone until it has content or some minutes have passed', async () => {
  await put('a.pdf', '');
  await look();
  expect(await look({}, 60)).toEqual([]);
  expect(await look({}, 300)).toHaveLength(1);
});

test.each(['../outside', '/etc'])('the folder %s is refused', async (folder) => {
  await expect(look({ path: folder })).rejects.toThrow(/outside/);
});

test('a file that changes while it is read is not taken, and the new file stays in its place', async () => {
  await put('a.pdf', 'first');
  await look();
  const [item] = await look({}, 10);
  await put('a.pdf', 'second one');
  const read = async () => {
    for await (const _ of item?.open() ?? []);
  };
  await expect(read()).rejects.toThrow(/changed/);
  await item?.settle('accepted');
  expect(await readdir(path.join(root, 'in'))).toEqual(['a.pdf']);
});

describe('a link that is swapped in after the folder was listed', () => {
  const outside = () => path.join(root, 'outside');
  const listed = async (name: string) => {
    await mkdir(outside());
    await writeFile(path.join(outside(), 'a.pdf'), 'other');
    await put(name, 'first');
    await look({ hasSubfolders: true });
    const [item] = await look({ hasSubfolders: true }, 10);
    return item as SourceItem;
  };
  const read = async (item: SourceItem) => {
    let text = '';
    for await (const piece of item.open()) text += Buffer.from(piece);
    return text;
  };

  test('in place of the file is not followed', async () => {
    const item = await listed('a.pdf');
    await rm(path.join(root, 'in/a.pdf'));
    await symlink(path.join(outside(), 'a.pdf'), path.join(root, 'in/a.pdf'));
    await expect(read(item)).rejects.toThrow(/ELOOP/);
    await item.settle('rejected');
    expect(await readdir(path.join(root, 'in'))).toEqual(['a.pdf']);
  });

  test('in place of its folder is not followed, also to the same file', async () => {
    const item = await listed('sub/a.pdf');
    await rename(path.join(root, 'in/sub'), path.join(root, 'moved'));
    await symlink(path.join(root, 'moved'), path.join(root, 'in/sub'));
    await expect(read(item)).rejects.toThrow(/changed/);
    await item.settle('rejected');
    expect(await readdir(path.join(root, 'moved'))).toEqual(['a.pdf']);
  });

  test('in place of the folder for settled files takes nothing outside', async () => {
    const item = await listed('a.pdf');
    await symlink(outside(), path.join(root, 'in/rejected'));
    await expect(item.settle('rejected', 'why')).rejects.toThrow(/outside/);
    expect(await readdir(outside())).toEqual(['a.pdf']);
    expect(await readFile(path.join(root, 'in/a.pdf'), 'utf8')).toBe('first');
  });

  test('in place of the reason is not written through', async () => {
    const item = await listed('a.pdf');
    await mkdir(path.join(root, 'in/rejected'));
    await symlink(path.join(outside(), 'a.pdf'), path.join(root, 'in/rejected/a.pdf.txt'));
    await item.settle('rejected', 'why');
    expect(await readFile(path.join(outside(), 'a.pdf'), 'utf8')).toBe('other');
    expect(await readFile(path.join(root, 'in/rejected/a.pdf (2).txt'), 'utf8')).toBe('why\n');
  });
});
