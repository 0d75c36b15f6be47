import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { areToolsHere, buildPdf, encryptedPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';
import { unlockFile } from './unlock-file.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'unlock-'));
afterAll(() => rmSync(directory, { recursive: true }));

const inspect = (file: string) =>
  runTask('inspect', { path: file }, { workDir: mkdtempSync(path.join(directory, 'look-')) });

async function unlock(bytes: Uint8Array, password: string) {
  const workDir = mkdtempSync(path.join(directory, 'case-'));
  const file = path.join(workDir, 'locked.pdf');
  writeFileSync(file, bytes);
  const out = path.join(workDir, 'out.pdf');
  const error = await unlockFile({ path: file, password, out, workDir }).catch((caught: unknown) => caught);
  return { error, out };
}

test.each(['secret', 'owner'])('%j, the password of its reader or owner, opens the file', async (password) => {
  const { out, error } = await unlock(encryptedPdf('secret'), password);
  expect(error).toBeUndefined();
  const pages = [{ boxes: { media: [0, 0, 300, 200] } }];
  expect(await inspect(out)).toMatchObject({ pageCount: 1, pages, pdf: { encrypted: false } });
});

test.each(['Secret', 'secret '])('%j does not open it, and nothing is written', async (password) => {
  const { out, error } = await unlock(encryptedPdf('secret'), password);
  expect(error).toMatchObject({ code: 'PDF_ENCRYPTED', params: { isPasswordWrong: true } });
  expect(existsSync(out)).toBe(false);
});

test.skipIf(!areToolsHere()).each([
  ['40', 'user'],
  ['128', 'user'],
  ['256', 'user'],
  ['256', 'owner'],
])(
  'a file that qpdf encrypted with %s bits is opened by the password of its %s (skipped without qpdf)',
  async (bits, who) => {
    const plain = path.join(directory, 'plain.pdf');
    const locked = path.join(directory, `locked-${bits}-${who}.pdf`);
    const pages = [1, 2, 3].map((at) => ({ content: `0 0 ${at}0 ${at}0 re f` }));
    writeFileSync(plain, buildPdf({ pages, catalog: '/Outlines << /Type /Outlines >>' }));
    const weak = bits === '256' ? [] : ['--allow-weak-crypto'];
    execFileSync('qpdf', [...weak, '--encrypt', 'Grün 1', 'owner', bits, '--', plain, locked]);
    const workDir = mkdtempSync(path.join(directory, 'qpdf-'));
    const out = path.join(workDir, 'out.pdf');
    await unlockFile({ path: locked, password: who === 'user' ? 'Grün 1' : 'owner', out, workDir });
    execFileSync('qpdf', ['--check', out]);
    expect(await inspect(out)).toMatchObject({ pageCount: 3, pdf: { encrypted: false } });
  },
);
