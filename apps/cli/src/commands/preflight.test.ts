import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { preflightReportSchema } from '@pdf2press/contract';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = path.resolve(import.meta.dirname, '../../bin/pdf2press.js');
const directory = mkdtempSync(path.join(os.tmpdir(), 'preflight-cli-'));
const at = (name: string) => path.join(directory, name);

beforeAll(() => {
  writeFileSync(at('one.pdf'), buildPdf({ pages: [{ content: '0 g 50 50 100 100 re f' }] }));
  writeFileSync(at('two.pdf'), buildPdf({ pages: [{ content: '0 g 50 50 100 100 re f' }, {}] }));
  writeFileSync(at('broken.pdf'), '%PDF-1.7 nothing of it');
  const profile = {
    name: 'pages',
    boxPolicy: { onMissingTrim: 'Off' },
    checks: [{ key: 'PageCount', settings: { exact: 1 } }, { key: 'PageBoxes' }],
  };
  writeFileSync(at('profile.json'), JSON.stringify(profile));
  writeFileSync(at('wrong.json'), JSON.stringify({ checks: [{ key: 'PageCount', settings: { wrong: 1 } }] }));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function cli(args: string[], input?: string): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [program, 'preflight', ...args]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input === undefined ? undefined : readFileSync(input));
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)));
  return { code, out, err };
}

test('exit codes distinguish result, usage error and unreadable file', async () => {
  const profile = ['--profile', at('profile.json')];
  expect((await cli([at('one.pdf'), ...profile])).code).toBe(0);
  expect((await cli([at('one.pdf'), ...profile, '--fail-on', 'warning'])).code).toBe(1);
  expect((await cli([at('two.pdf'), ...profile])).code).toBe(1);
  expect((await cli([at('two.pdf')])).code).toBe(2);
  expect((await cli([at('two.pdf'), '--preset', 'nothing'])).code).toBe(2);
  expect(await cli([at('two.pdf'), '--profile', at('wrong.json')])).toMatchObject({ code: 2, out: '' });
  const broken = await cli([at('broken.pdf'), ...profile]);
  expect({ ...broken, out: JSON.parse(broken.out) }).toMatchObject({
    code: 3,
    out: { error: { code: 'PDF_DAMAGED' } },
  });
  expect((await cli([at('absent.pdf'), ...profile])).err).toMatch(/^FILE_NOT_FOUND/);
});

test('standard output is one JSON report, a list for several files, also from standard input and a glob', async () => {
  const profile = ['--profile', at('profile.json')];
  const single = await cli(['-', ...profile, '--json', '-'], at('one.pdf'));
  expect(preflightReportSchema.parse(JSON.parse(single.out))).toMatchObject({ pageCount: 1, result: 'Warning' });
  const several = await cli([at('*o*.pdf'), ...profile]);
  const [broken, ...reports] = JSON.parse(several.out) as unknown[];
  expect(reports.map((report) => preflightReportSchema.parse(report).file.name)).toEqual(['one.pdf', 'two.pdf']);
  // The unreadable file decides the exit code.
  expect(broken).toMatchObject({ path: at('broken.pdf'), error: { code: 'PDF_DAMAGED' } });
  expect(several).toMatchObject({ code: 3, err: expect.stringMatching(/^PDF_DAMAGED .*file=".*broken\.pdf"$/m) });
});

test('reports are written to the given paths, and presets are listed', async () => {
  const outputs = [
    '--json',
    at('out/report.json'),
    '--report',
    at('out/report.pdf'),
    '--annotated',
    at('out/copy.pdf'),
  ];
  const { code, out } = await cli([at('two.pdf'), '--profile', at('profile.json'), ...outputs, '--lang', 'fr']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  for (const name of ['report.json', 'report.pdf', 'copy.pdf']) expect(existsSync(at(`out/${name}`))).toBe(true);
  const list = (await cli(['--list-presets'])).out;
  expect(list).toMatch(/gwg2022-magazine-ads-cmyk/);
  expect(list).toMatch(/pdf-x-4/);
});

test('a file is compared with the version before, with a profile that says nothing of it, too', async () => {
  writeFileSync(at('again.pdf'), buildPdf({ pages: [{ content: 'q 0 g 50 50 100 100 re f Q' }] }));
  writeFileSync(at('moved.pdf'), buildPdf({ pages: [{ content: '0 g 60 50 100 100 re f' }] }));
  const reprint = {
    boxPolicy: { onMissingTrim: 'Off' },
    checks: [{ key: 'SameAsBefore', settings: { expect: 'Unchanged' } }],
  };
  writeFileSync(at('reprint.json'), JSON.stringify(reprint));
  const rules = async (file: string, profile: string) => {
    const { out } = await cli([at(file), '--profile', at(profile), '--before', at('one.pdf')]);
    return preflightReportSchema.parse(JSON.parse(out)).findings.map(({ ruleKey }) => ruleKey);
  };
  expect(await rules('again.pdf', 'profile.json')).toContain('SameAsBefore.sameLook');
  expect(await rules('one.pdf', 'profile.json')).toContain('SameAsBefore.sameFile');
  expect(await rules('again.pdf', 'reprint.json')).toEqual([]);
  expect(await rules('moved.pdf', 'reprint.json')).toEqual(['SameAsBefore.pageDiffers']);
  expect(await rules('two.pdf', 'reprint.json')).toEqual(['SameAsBefore.pageCountDiffers']);
  const absent = await cli([at('one.pdf'), '--profile', at('profile.json'), '--before', at('absent.pdf')]);
  expect(absent).toMatchObject({ code: 3 });
  const many = [at('one.pdf'), at('two.pdf'), '--profile', at('profile.json'), '--before', at('one.pdf')];
  expect((await cli(many)).code).toBe(2);
});
