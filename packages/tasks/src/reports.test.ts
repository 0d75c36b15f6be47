import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { contractMessages, locales } from '@pdf2press/contract';
import { isDict, openPdf } from '@pdf2press/pdf';
import { reportMessages as messages, pdfOf } from '@pdf2press/preflight/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'reports-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const source = path.join(directory, 'job.pdf');
const profile = {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [{ key: 'ThinLines' }, { key: 'Fonts' }, { key: 'PageCount', settings: { min: 2 } }],
};
const content = '0.1 w 0 0 0 1 K 100 100 m 200 100 l S BT /F2 12 Tf 100 300 Td (Courier) Tj ET';

async function make(locale: (typeof locales)[number]): Promise<string> {
  writeFileSync(source, pdfOf({ content, extra: '/Rotate 90' }));
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const params = { path: source, fileName: 'job.pdf', profile, pdfReport: { locale }, annotatedCopy: { locale } };
  const report = await runTask('preflight', params, { workDir });
  expect(report.findings.length).toBeGreaterThan(2);
  return workDir;
}

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;

test.skipIf(!hasPoppler)(
  'another program reads the text of the PDF report in every language, and its fonts are embedded (skipped without poppler)',
  async () => {
    // By day one in Latin letters and one in Chinese.
    for (const locale of locales.filter((one) => isNight || ['fr', 'zh'].includes(one))) {
      const workDir = await make(locale);
      const { stdout } = spawnSync('pdftotext', ['-enc', 'UTF-8', path.join(workDir, 'report.pdf'), '-'], {
        encoding: 'utf8',
      });
      expect(stdout).toContain(messages[locale].title);
      expect(stdout).toContain(messages[locale]['count.Fail_other']?.replace('{count}', '3'));
      const fonts = spawnSync('pdffonts', [path.join(workDir, 'report.pdf')], { encoding: 'utf8' })
        .stdout.split('\n')
        .slice(2);
      for (const line of fonts.filter(Boolean)) expect(line).toMatch(/ yes yes yes /);
    }
  },
);

/** The text of a PDF as another program reads it, lines joined. */
const textOf = (file: string): string =>
  spawnSync('pdftotext', ['-enc', 'UTF-8', file, '-'], { encoding: 'utf8' }).stdout.replace(/\s+/g, ' ');

test.skipIf(!hasPoppler)(
  'the report tells the verdict, what to do, what was corrected, and shows the sheets under the name of the house (skipped without poppler)',
  async () => {
    const workDir = await make('en');
    const reportPath = path.join(workDir, 'preflight.json');
    const params = { path: source, fileName: 'job.pdf', profile };
    const report = await runTask('preflight', params, { workDir });
    // The same findings on a second page are told once.
    const again = report.findings.filter(({ page }) => page === 1).map((finding) => ({ ...finding, page: 2 }));
    writeFileSync(reportPath, JSON.stringify({ ...report, findings: [...report.findings, ...again] }));
    const timeZone = 'Pacific/Kiritimati';
    const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone });
    const fixReport = await runTask(
      'fix',
      {
        path: source,
        fileName: 'job.pdf',
        profile: { actions: [{ key: 'RotatePages', settings: { turn: 'Clockwise' }, when: { is: 'Always' } }] },
        out: path.join(workDir, 'fixed.pdf'),
      },
      { workDir },
    );
    expect(fixReport.changes.length).toBeGreaterThan(0);
    const fixReportPath = path.join(workDir, 'fix.json');
    writeFileSync(fixReportPath, JSON.stringify(fixReport));
    // No picture: the name stands there instead.
    const logoPath = path.join(workDir, 'logo');
    writeFileSync(logoPath, 'no picture');
    const { name } = await runTask(
      'report',
      {
        ...{ path: source, reportPath, format: 'Pdf', locale: 'en', unit: 'Millimeters', timeZone },
        house: { name: 'Paper + Ink', colour: '#0a7f6f', logoPath },
        fixReportPaths: [fixReportPath],
        sheetsPath: path.join(workDir, 'fixed.pdf'),
      },
      { workDir },
    );
    const text = textOf(path.join(workDir, name));
    for (const told of [
      'Paper + Ink',
      contractMessages.en['proof.verdict.Error'],
      'What to do:',
      'What was corrected',
      'Print sheets',
      'Side 1 of 1',
      'Page 1 of',
      'The same was found on page 2.',
      date.format(new Date(report.startedAt)),
    ])
      expect(text).toContain(told);
    expect(text).not.toMatch(/undefined|NaN|\{\w+\}/);
    expect(spawnSync('qpdf', ['--check', path.join(workDir, name)]).status ?? 0).toBe(0);
  },
);

test('the annotated copy has the findings as annotations that do not print', async () => {
  const workDir = await make('en');
  const copy = openPdf({ path: path.join(workDir, 'annotated.pdf') });
  try {
    expect(copy.pageCount).toBe(1);
    const page = copy.pages[0];
    const annotations = (page?.annotations ?? []).map((value) => copy.resolve(value));
    expect(annotations.length).toBeGreaterThan(2);
    for (const annotation of annotations) {
      if (!isDict(annotation)) throw new Error('no annotation');
      expect(Number(annotation.map.get('F') ?? 0) & 4).toBe(0);
      expect(annotation.map.has('AP')).toBe(true);
    }
    const text = readFileSync(path.join(workDir, 'annotated.pdf')).toString('latin1');
    expect(text).not.toContain('undefined');
  } finally {
    copy.close();
  }
  if (existsSync('/usr/bin/qpdf'))
    expect(spawnSync('qpdf', ['--check', path.join(workDir, 'annotated.pdf')]).status).toBe(0);
});

/** One as JSON on each line. */
const linesOf = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('the notes on a proof become annotations of their kinds, with the answers in them', async () => {
  writeFileSync(source, pdfOf({ content, extra: '/Rotate 90' }));
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const said = { by: 'Anna Köhler', isHouse: false, isMine: false, at: '2026-11-25T10:00:00.000Z', files: [] };
  const place = { page: 1, path: [], isToDo: false, resolvedAt: null, answers: [] };
  const notes = [
    { ...place, mark: 'place', box: [20, 30, 120, 60] },
    { ...place, mark: 'place', box: [50, 50, 50, 50] },
    { ...place, mark: 'arrow', box: [10, 10, 90, 50], path: [10, 10, 90, 50] },
    { ...place, mark: 'pen', box: [0, 0, 30, 40], path: [0, 0, 20, 40, 30, 5] },
    { ...place, mark: 'strike', box: [40, 100, 140, 112] },
    { ...place, mark: 'insert', box: [70, 80, 70, 80] },
    { ...place, mark: 'place', box: null, page: null },
  ].map((note, at) => ({ ...said, id: `pnt_${at}`, no: at + 1, text: `Remark ${at + 1}`, ...note }));
  const files = [{ id: 'fil_1', name: 'logo.png', mediaType: 'image/png', size: 4, sha256: 'x' }];
  const answers = [{ ...said, id: 'pnt_9', by: 'Bo', text: 'Done', files, repliesToId: null }];
  const notesPath = path.join(workDir, 'notes.jsonl');
  writeFileSync(notesPath, linesOf(notes.map((note) => (note.no === 1 ? { ...note, answers } : note))));
  const { name } = await runTask('notes', { path: source, notesPath }, { workDir });

  const copy = openPdf({ path: path.join(workDir, name) });
  try {
    const annotations = (copy.pages[0]?.annotations ?? []).map((value) => copy.resolve(value)).filter(isDict);
    const named = (key: string) => annotations.map(({ map }) => JSON.stringify(map.get(key) ?? null));
    const kinds = ['Square', 'Text', 'Line', 'Ink', 'StrikeOut', 'Caret', 'Text'];
    expect(named('Subtype').map((kind, at) => kind.includes(kinds[at] ?? '?'))).toEqual(kinds.map(() => true));
    expect(named('L')[2]).toBe('[10,10,90,50]');
    expect(named('InkList')[3]).toBe('[[0,0,20,40,30,5]]');
    expect(named('QuadPoints')[4]).toBe('[40,112,140,112,40,100,140,100]');
    for (const { map } of annotations) {
      expect(Number(map.get('F') ?? 0) & 4).toBe(0);
      expect(map.has('AP')).toBe(true);
    }
  } finally {
    copy.close();
  }
  const bytes = readFileSync(path.join(workDir, name)).toString('latin1');
  expect(bytes).not.toMatch(/undefined|NaN/);
  if (existsSync('/usr/bin/qpdf')) expect(spawnSync('qpdf', ['--check', path.join(workDir, name)]).status).toBe(0);
});

test('ten thousand notes become ten thousand annotations @night', async () => {
  writeFileSync(source, pdfOf({ content }));
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const said = { by: 'Anna', isHouse: false, isMine: false, at: '2026-11-25T10:00:00.000Z', files: [], answers: [] };
  const place = { page: 1, box: [20, 30, 20, 30], mark: 'place', path: [], isToDo: false, resolvedAt: null };
  const notes = Array.from({ length: 10_000 }, (_, at) => ({
    ...said,
    ...place,
    id: `pnt_${at}`,
    no: at + 1,
    text: `${at}`,
  }));
  const notesPath = path.join(workDir, 'notes.jsonl');
  writeFileSync(notesPath, linesOf(notes));
  const { name } = await runTask('notes', { path: source, notesPath }, { workDir });
  const copy = openPdf({ path: path.join(workDir, name) });
  try {
    const annotations = copy.pages[0]?.annotations.map((value) => copy.resolve(value)).filter(isDict) ?? [];
    expect(annotations).toHaveLength(10_000);
    expect(new Set(annotations.map(({ map }) => JSON.stringify(map.get('T')))).size).toBe(10_000);
  } finally {
    copy.close();
  }
  const read = spawnSync('qpdf', ['--json=2', '--json-key=qpdf', path.join(workDir, name)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (read.error === undefined) expect(read.stdout.match(/"\/Subtype": "\/Text"/g)).toHaveLength(10_000);
}, 120_000);
