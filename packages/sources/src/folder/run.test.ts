import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FoundItem } from '../source.ts';
import { folderContract } from './contract.ts';
import { pollFolder } from './run.ts';

let root: string;
let time = 0;
const memory = new Map<string, unknown>();
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-hot-'));
  memory.clear();
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function look(settings: Record<string, unknown> = {}, passed = 0): Promise<FoundItem[]> {
  time += passed * 1000;
  const items: FoundItem[] = [];
  const parsed = folderContract.settings.parse({ path: 'in', ...settings });
  for await (const item of pollFolder(parsed, { root, memory, now: () => time })) items.push(item);
  return items;
}
const put = async (name: string, text = 'x') => {
  await mkdir(path.dirname(path.join(root, 'in', name)), { recursive: true });
  await writeFile(path.join(root, 'in', name), text);
};

test('a file is taken when it has not changed for long enough, under one key', async () => {
  await put('a.pdf');
  expect(await look()).toEqual([]);
  expect(await look({}, 5)).toEqual([]);
  await put('a.pdf', 'grown');
  expect(await look({}, 6)).toEqual([]);
  const [item] = await look({}, 10);
  expect(item).toMatchObject({ name: 'a.pdf', size: 5, sourceName: 'in' });
  expect((await look({}, 1))[0]?.key).toBe(item?.key);
  await utimes(path.join(root, 'in/a.pdf'), 1, 1);
  await look();
  expect((await look({}, 10))[0]?.key).not.toBe(item?.key);
});

test('once taken it is moved, and nothing there is written over', async () => {
  for (const text of ['one', 'two']) {
    await put('a.pdf', text);
    await look();
    const [item] = await look({}, 10);
    await item?.settle('accepted');
  }
  expect((await readdir(path.join(root, 'in/processed'))).sort()).toEqual(['a (2).pdf', 'a.pdf']);
  expect(await look({ hasSubfolders: true }, 100)).toEqual([]);
});

test('refused ones go aside; delete and leave do as they say', async () => {
  await put('a.pdf');
  await look();
  await (await look({}, 10))[0]?.settle('rejected');
  expect(await readdir(path.join(root, 'in/rejected'))).toEqual(['a.pdf']);
  await put('b.pdf');
  await look();
  await (await look({ after: 'delete' }, 10))[0]?.settle('accepted');
  expect(await readdir(path.join(root, 'in'))).toEqual(['rejected']);
});

test('takes what matches, in subfolders only when told, and follows no links', async () => {
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

test('an empty file is given time to be filled', async () => {
  await put('a.pdf', '');
  await look();
  expect(await look({}, 60)).toEqual([]);
  expect(await look({}, 300)).toHaveLength(1);
});

test.each(['../outside', '/etc'])('the folder %s is refused', async (folder) => {
  await expect(look({ path: folder })).rejects.toThrow(/outside/);
});
