import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { givenImposeProfileSchema } from '@pdf2press/impose/contracts';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'pictures-of-made-'));
afterAll(() => rmSync(directory, { recursive: true }));

const newFolder = () => mkdtempSync(path.join(directory, 'work-'));
const input = path.join(directory, 'in.pdf');
const content = '0.2 0.6 0.1 rg 10 10 120 80 re f 0 0 1 RG 3 w 20 20 m 90 150 l S';
writeFileSync(input, buildPdf({ pages: [{ content }, { content, extra: '/Rotate 90' }, {}] }));

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.webp'))
    .sort()
    .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]);

/** What a process of its own draws of a file. */
async function drawnAlone(file: string) {
  const workDir = newFolder();
  return { pictures: await runTask('thumbnails', { path: file, most: 2 }, { workDir }), files: filesIn(workDir) };
}

async function fix(key: string, spoil: (folder: string) => void = () => undefined) {
  const workDir = newFolder();
  const out = path.join(workDir, 'out.pdf');
  const folder = path.join(workDir, 'thumbnails');
  spoil(folder);
  const profile = { actions: [{ key, when: { is: 'Always' } }] };
  const params = { path: input, fileName: 'in.pdf', profile, out, pictures: { folder, most: 2 } };
  return { out, folder, workDir, result: await runTask('fix', params, { workDir }) };
}

test('a fixed file has the pictures that a process of its own draws of it', async () => {
  const { out, folder, result } = await fix('ColorspaceTransformation');
  const alone = await drawnAlone(out);
  expect(alone.files).toHaveLength(2);
  expect(result.pictures).toEqual(alone.pictures);
  expect(filesIn(folder)).toEqual(alone.files);
});

test('imposed sheets have the pictures that a process of its own draws of them', async () => {
  const workDir = newFolder();
  const folder = path.join(workDir, 'thumbnails');
  const profile = givenImposeProfileSchema.parse({ type: 'StepNRepeat', sheet: 'SRA3' });
  const pictures = { folder, most: 2 };
  const result = await runTask(
    'impose',
    { inputs: [{ path: input }], profile, outputs: ['output'], pictures },
    { workDir },
  );
  const made = result.ok ? (result.files[0]?.name ?? '') : '';
  const alone = await drawnAlone(path.join(workDir, made));
  expect(result.pictures).toEqual(alone.pictures);
  expect(filesIn(folder)).toEqual(alone.files);
  expect(alone.files.length).toBeGreaterThan(0);
});

test('an inspected file has the pictures that a process of its own draws of it, and the facts that it has without', async () => {
  const workDir = newFolder();
  const folder = path.join(workDir, 'thumbnails');
  const asked = { path: input, pictures: { folder, most: 2 } };
  const { pictures, ...facts } = await runTask('inspect', asked, { workDir });
  const alone = await drawnAlone(input);
  expect(alone.files).toHaveLength(2);
  expect(pictures).toEqual(alone.pictures);
  expect(filesIn(folder)).toEqual(alone.files);
  expect(facts).toEqual(await runTask('inspect', { path: input }, { workDir: newFolder() }));
});

test('the facts of a file stand when its pictures cannot be drawn', async () => {
  const workDir = newFolder();
  const folder = path.join(workDir, 'thumbnails');
  writeFileSync(folder, 'in the way');
  const result = await runTask('inspect', { path: input, pictures: { folder, most: 2 } }, { workDir });
  expect(result.pageCount).toBe(3);
  expect(result.pictures).toBeUndefined();
});

test('a file that was not changed has no pictures', async () => {
  const { result } = await fix('ThickenLines');
  expect(result.out?.isChanged).toBe(false);
  expect(result.pictures).toBeUndefined();
});

test('a fix stands when its pictures cannot be drawn', async () => {
  const { result, out } = await fix('ColorspaceTransformation', (folder) => {
    writeFileSync(folder, 'in the way');
  });
  expect(result.out).toMatchObject({ path: out, isChanged: true });
  expect(result.pictures).toBeUndefined();
});
