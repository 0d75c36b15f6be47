import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspectionSchema } from '@pdf2press/contract';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { run } from './inspect.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'inspect-'));
afterAll(() => rmSync(directory, { recursive: true }));

const file = (name: string, bytes: Uint8Array | string): string => {
  const target = path.join(directory, name);
  writeFileSync(target, bytes);
  return target;
};
const good = file('good.pdf', buildPdf({ pages: [{}, {}] }));
const broken = file('broken.pdf', 'Dear printer');

let out: string[] = [];
let errors: string[] = [];
beforeEach(() => {
  out = [];
  errors = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(line));
});
afterEach(() => vi.restoreAllMocks());

describe('pdf2press inspect', () => {
  test('prints the facts of a PDF', async () => {
    expect(await run([good, '--json'])).toBe(0);
    expect(inspectionSchema.parse(JSON.parse(out.join('\n')))).toMatchObject({ pageCount: 2, inks: [] });
  });

  test('reports an unreadable file in JSON and in one line', async () => {
    expect(await run([broken])).toBe(3);
    expect(JSON.parse(out.join('\n'))).toEqual({ path: broken, error: { code: 'PDF_NOT_PDF', params: {} } });
    expect(errors).toEqual(['PDF_NOT_PDF']);
  });

  test('accepts several files and patterns; the worst result is the exit code', async () => {
    expect(await run([path.join(directory, '*.pdf')])).toBe(3);
    expect(JSON.parse(out.join('\n'))).toHaveLength(2);
  });

  test('prints its usage', async () => {
    expect(await run([])).toBe(2);
    expect(await run([good, '--colour'])).toBe(2);
    expect(out).toEqual([]);
    for (const line of errors) expect(line).toMatch(/^USAGE [^\n]+$/);
    expect(await run(['--help'])).toBe(0);
    expect(out).toEqual([expect.stringMatching(/^usage: pdf2press inspect/)]);
  });
});
