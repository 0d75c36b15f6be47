import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FileFaultError, type Finding, type PreflightReport, preflightReportSchema } from '@pdf2press/contract';
import { openPdf, openRenderService, type PdfFile, type RenderService } from '@pdf2press/pdf';
import { writeTextPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { checkKeys } from '../checks/keys.ts';
import { runnerOf } from '../checks/runners.ts';
import { findingSentence } from '../findings/finding-sentence.ts';
import { readProfile } from '../profile/bind-variables.ts';
import type { PreflightProfileInput } from '../profile/profile.ts';
import { imageAt, picture } from '../quality/content.ts';
import { type Doc, pdfOf } from '../quality/doc.ts';
import { preflightJob } from './page-job.ts';
import { preflight } from './preflight.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'preflight-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let written = 0;

function fileOf(doc: Doc): string {
  written += 1;
  const file = path.join(directory, `${written}.pdf`);
  writeFileSync(file, pdfOf(doc));
  return file;
}

interface Options {
  threads?: number;
  variables?: Record<string, string | number>;
  render?: () => RenderService;
}
async function check(file: string, profile: PreflightProfileInput, options: Options = {}) {
  const pdf = openPdf({ path: file });
  let service: RenderService | null = null;
  const render = () => {
    service ??= openRenderService({ path: file, workDir: directory });
    return service;
  };
  try {
    const { threads, variables } = options;
    return await preflight({
      file: pdf,
      fileName: path.basename(file),
      sha256: '0',
      profile: readProfile(profile),
      services: { render: options.render ?? render },
      ...(threads !== undefined && { threads }),
      ...(variables && { variables }),
    });
  } finally {
    (service as RenderService | null)?.close();
    pdf.close();
  }
}

const smallText = (count: number) =>
  Array.from({ length: count }, (_, i) => `BT /F1 4 Tf 60 ${100 + i * 5} Td (Line) Tj ET`).join(' ');
const tiny: PreflightProfileInput = {
  boxPolicy: { onMissingTrim: 'Off' },
  checks: [{ key: 'Fonts', settings: { minSize: { failBelow: 5 } } }],
};

test('equal findings of a page become one finding with a count and boxes', async () => {
  const report = await check(fileOf({ content: smallText(30) }), tiny);
  expect(report.findings).toHaveLength(1);
  expect(report.findings[0]).toMatchObject({
    ruleKey: 'Fonts.small',
    count: 30,
    page: 1,
    measured: { value: 4, unit: 'pt' },
    params: { sample: 'Line' },
  });
  expect(report.findings[0]?.boxes).toHaveLength(30);
  expect(preflightReportSchema.parse(report)).toEqual(report);
});

test('lines of text on a fold are one finding for each page, and those near it another, with a box around all', async () => {
  const lines = Array.from(
    { length: 90 },
    (_, i) => `BT /F1 5 Tf ${[184, 189, 188][i % 3]} ${60 + i * 4.5} Td (Across) Tj ET`,
  ).join(' ');
  const profile: PreflightProfileInput = { boxPolicy: { onMissingTrim: 'Off' }, checks: [{ key: 'FoldLines' }] };
  const report = await check(fileOf({ content: lines, morePages: [{}] }), profile);
  expect(report.findings.map(({ ruleKey, page, count }) => [ruleKey, page, count])).toEqual([
    ['FoldLines.nearFold', 1, 30],
    ['FoldLines.crossesFold', 1, 60],
    ['FoldLines.nearFold', 2, 30],
    ['FoldLines.crossesFold', 2, 60],
  ]);
  const [, first] = report.findings;
  expect(first?.boxes).toHaveLength(50);
  expect(first?.params.sample).toBe('Across');
  const [, bottom = 0, , top = 0] = first?.box ?? [];
  expect(top - bottom).toBeGreaterThan(88 * 4.5);
  expect(preflightReportSchema.parse(report)).toEqual(report);
});

test('findings beyond maxFindings are counted and the most severe are kept', async () => {
  const lines = Array.from(
    { length: 9 },
    (_, i) => `${0.1 + i / 100} w 0 0 0 1 K 100 ${100 + i * 9} m 200 ${100 + i * 9} l S`,
  ).join(' ');
  const report = await check(fileOf({ content: lines }), { ...tiny, checks: [{ key: 'ThinLines', maxFindings: 4 }] });
  expect(report.findings).toHaveLength(4);
  expect(report.checks[0]?.findingCount).toBe(9);
  expect(report.counts.Fail + report.counts.Warn).toBe(9);
  expect(report.result).toBe('Error');
});

/** Every check that looks at pages without plates. */
const reading: PreflightProfileInput = {
  checks: checkKeys.filter((key) => runnerOf(key).page && !runnerOf(key).plates).map((key) => ({ key })),
};
const told = ({ findings, checks }: PreflightReport): string =>
  JSON.stringify([findings, checks.map(({ durationMs, ...check }) => check)]);

test('the findings do not depend on the number of threads', async () => {
  // So much text that another thread is worth its start.
  const file = path.join(directory, 'text.pdf');
  writeTextPdf(file, 80);
  const [one, two] = [await check(file, reading, { threads: 1 }), await check(file, reading, { threads: 2 })];
  expect(one.findings.some(({ ruleKey, box }) => ruleKey === 'FoldLines.crossesFold' && box)).toBe(true);
  expect(told(two)).toBe(told(one));
});

test('what is told of a page does not depend on the pages that its thread read before', () => {
  const path = fileOf({
    content: 'BT /F1 20 Tf 190 100 Td (first letters) Tj ET',
    morePages: ['Other letters', 'srettel tsrif', 'A third line'].map((text, at) => ({
      content: `q ${at} 1 1 0 ${at} 0 cm BT /F1 ${19 + at} Tf ${180 + at} 100 Td (${text}) Tj ET Q ${smallText(at + 1)}`,
      extra: at % 2 ? '/Rotate 90' : '',
    })),
  });
  const profile = readProfile(reading);
  const start = (): { file: PdfFile; job: ReturnType<typeof preflightJob> } => {
    const file = openPdf({ path });
    return { file, job: preflightJob(file, { profile, pages: profile.checks.map(() => [1, 2, 3, 4]) }) };
  };
  const all = start();
  const before = [1, 2, 3, 4].map((page) => JSON.stringify(all.job.page(page)));
  for (const page of [4, 3, 2, 1]) {
    const alone = start();
    expect(JSON.stringify(alone.job.page(page))).toBe(before[page - 1]);
    alone.file.close();
  }
  all.file.close();
});

test('a check that throws is reported as failed and the other checks run', async () => {
  const broken = () => {
    throw new Error('no renderer');
  };
  const profile: PreflightProfileInput = {
    ...tiny,
    checks: [{ key: 'DocumentIntegrity' }, { key: 'PageCount', settings: { max: 1 } }],
  };
  const report = await check(fileOf({ content: '0 g 60 60 9 9 re f' }), profile, { render: broken });
  expect(report.checks.map(({ checkKey, state, result }) => [checkKey, state, result])).toEqual([
    ['DocumentIntegrity', 'failed', 'Error'],
    ['PageCount', 'done', 'Success'],
  ]);
  expect(report.findings[0]).toMatchObject({
    ruleKey: 'Preflight.cannotEvaluate',
    severity: 'Fail',
    params: { reason: 'no renderer' },
  });
});

test('an image that cannot be decoded is reported for its own page only', async () => {
  const broken = picture('/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode', 'no picture');
  const morePages = [{ content: imageAt('Pic', 50) }, {}];
  const report = await check(fileOf({ content: '', ...broken, morePages }), {
    ...tiny,
    checks: [{ key: 'DocumentIntegrity' }],
  });
  expect(report.findings.map(({ ruleKey, page, count }) => [ruleKey, page, count])).toEqual([
    ['DocumentIntegrity.renderFailed', 2, 1],
  ]);
});

test('a check whose page range matches no page is reported as not applicable', async () => {
  const report = await check(fileOf({ content: '' }), { ...tiny, checks: [{ key: 'ThinLines', pages: '7-9' }] });
  expect(report.checks[0]).toMatchObject({ state: 'notApplicable', result: 'Success' });
  expect(report.findings[0]).toMatchObject({ ruleKey: 'Preflight.notApplicable', severity: 'Info' });
});

test('a setting takes the value of its expression, and the stored value without variables', async () => {
  const profile: PreflightProfileInput = {
    ...tiny,
    variables: { 'PageCount.exact': 'pages', 'PageDimentions.width': 'w + 0mm' },
    checks: [{ key: 'PageCount', settings: { exact: 1 } }],
  };
  const file = fileOf({ content: '', morePages: [{}] });
  expect((await check(file, profile)).result).toBe('Error');
  expect((await check(file, profile, { variables: { pages: '2' } })).result).toBe('Success');
  await expect(check(file, { ...profile, variables: { 'PageCount.wrong': 'pages' } })).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
  });
});

test('pages without TrimBox give one finding of the box policy', async () => {
  const report = await check(fileOf({ content: '', trim: null, morePages: [{}, {}] }), {
    checks: [{ key: 'PageDimentions' }],
  });
  expect(report.findings.filter(({ ruleKey }) => ruleKey === 'Preflight.trimMissing')).toMatchObject([
    { count: 3, pages: [1, 2, 3], severity: 'Warn' },
  ]);
});

/** Crop marks 2 mm from the corners of a trim. */
const cropMarks = ([x0, y0, x1, y1]: readonly [number, number, number, number]) =>
  [x0, x1]
    .flatMap((x) => [`${x} ${y0 - 18} m ${x} ${y0 - 6} l S`, `${x} ${y1 + 6} m ${x} ${y1 + 18} l S`])
    .concat([y0, y1].flatMap((y) => [`${x0 - 18} ${y} m ${x0 - 6} ${y} l S`, `${x1 + 6} ${y} m ${x1 + 18} ${y} l S`]))
    .join(' ');

test('without TrimBox the trim is read from crop marks if the policy says so', async () => {
  const wanted = { mode: 'Exact', width: 340, height: 440, sizeIncludesBleed: { isDetected: false } } as const;
  const file = fileOf({ content: `0.25 w ${cropMarks([30, 30, 370, 470])}`, trim: null, bleed: null });
  const rules = async (inferFromMarks: boolean) => {
    const boxPolicy = { inferFromMarks };
    const report = await check(file, { boxPolicy, checks: [{ key: 'PageDimentions', settings: wanted }] });
    return report.findings.map(({ ruleKey, params }) => [ruleKey, params.source ?? params.trimSource]);
  };
  expect(await rules(true)).toEqual([['Preflight.trimMissing', 'Marks']]);
  expect(await rules(false)).toEqual([
    ['Preflight.trimMissing', 'MediaBox'],
    ['PageDimentions.size', 'Media'],
  ]);
});

test('sentences of the profile replace those of the check and show the values of the finding', async () => {
  const checks: PreflightProfileInput['checks'] = [
    {
      key: 'Fonts',
      settings: { minSize: { failBelow: 5 } },
      message: { en: 'Please use {limit:pt} or more.' },
      operatorMessage: { fr: 'Trop petit : {measured:pt}' },
    },
  ];
  const [finding] = (await check(fileOf({ content: smallText(1) }), { ...tiny, checks })).findings;
  if (!finding) throw new Error('no finding');
  expect(findingSentence(finding, 'en', 'customer', 'Millimeters')).toBe('Please use 5 pt or more.');
  expect(findingSentence(finding, 'fr', 'operator', 'Millimeters')).toBe('Trop petit : 4 pt');
  expect(findingSentence(finding, 'fr', 'customer', 'Millimeters')).toContain('4 pt');
  expect(preflightReportSchema.shape.findings.element.parse(finding).texts).toEqual(finding.texts);
});

test('a profile can set the severity of a rule, and Info does not change the result', async () => {
  const checks: PreflightProfileInput['checks'] = [
    { key: 'Fonts', settings: { minSize: { failBelow: 5 } }, severities: { small: 'Info' } },
  ];
  const report = await check(fileOf({ content: smallText(1) }), { ...tiny, checks });
  expect(report).toMatchObject({ result: 'Success', counts: { Info: 1, Warn: 0, Fail: 0 } });
});

test('a profile with an unknown setting is refused', () => {
  const wrong = { checks: [{ key: 'Fonts', settings: { minimum: 4 } }] };
  expect(() => readProfile(wrong)).toThrow(FileFaultError);
});

test('a sentence is in the chosen language and unit', async () => {
  const report = await check(fileOf({ content: 'q 60 0 0 60 22 200 cm /Im Do Q' }), {
    ...tiny,
    checks: [{ key: 'SafetyDistance' }],
  });
  const [finding] = report.findings;
  if (!finding) throw new Error('no finding');
  expect(findingSentence(finding, 'en', 'operator', 'Millimeters')).toBe(
    'picture 0.71 mm from the left edge, 1 mm needed.',
  );
  expect(findingSentence(finding, 'it-IT', 'operator', 'Inches')).toBe(
    'immagine a 0,028 in dal bordo sinistro, minimo 0,039 in.',
  );
});

test('a sentence about bleed shows no amount of 0 and no negative one', async () => {
  const sentencesOf = async (content: string) => {
    const report = await check(fileOf({ content }), { ...tiny, checks: [{ key: 'Bleed' }] });
    return report.findings.map((finding) => findingSentence(finding, 'en', 'operator', 'Millimeters'));
  };
  expect(await sentencesOf('1 0 0 0 k 20 100 200 200 re f')).toEqual([
    'BleedBox on the left is large enough, but the ink ends at the trim.',
  ]);
  expect(await sentencesOf('1 0 0 0 k 22 20 358 468.504 re f 22 11.496 366.504 8.504 re f')).toContain(
    'White gap on the left: the content ends 0.71 mm inside the trim.',
  );
  const short: Finding = {
    id: 'f1',
    checkKey: 'Bleed',
    ruleKey: 'Bleed.short',
    severity: 'Fail',
    page: 1,
    side: 'left',
    measured: { value: -0.3, unit: 'pt' },
    limit: { value: 8.504, unit: 'pt', op: '>=' },
    params: {},
    count: 1,
    fixableBy: null,
  };
  expect(findingSentence(short, 'en', 'operator', 'Millimeters')).toBe('No bleed on the left: 3 mm needed.');
  expect(findingSentence({ ...short, measured: { value: 2.8346, unit: 'pt' } }, 'en', 'operator', 'Millimeters')).toBe(
    'Bleed on the left: 1 mm, 3 mm needed.',
  );
});

test('words are singular or plural by their number', async () => {
  const counting = (min: number) => ({ ...tiny, checks: [{ key: 'PageCount' as const, settings: { min } }] });
  const one = (await check(fileOf({ content: '' }), counting(3))).findings[0];
  const two = (await check(fileOf({ content: '', morePages: [{}] }), counting(3))).findings[0];
  if (!one || !two) throw new Error('no finding');
  expect(findingSentence(one, 'en', 'customer', 'Millimeters')).toBe('The file has 1 page; at least 3 are needed.');
  expect(findingSentence(two, 'en', 'customer', 'Millimeters')).toBe('The file has 2 pages; at least 3 are needed.');
  expect(findingSentence(one, 'pt', 'operator', 'Millimeters')).toBe('1 página, mínimo 3.');
  expect(findingSentence(one, 'zh', 'operator', 'Millimeters')).not.toContain('|');
});
