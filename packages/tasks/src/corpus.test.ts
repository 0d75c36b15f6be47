/** Preflight of a collection of public PDF files. Skipped without it; CORPUS_DIR names its folder. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import { FileFaultError } from '@pdf2press/contract';
import { checkKeys } from '@pdf2press/preflight/contracts';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const corpus = process.env.CORPUS_DIR ?? path.resolve(import.meta.dirname, '../../../../shared/corpus');
const files = path.join(corpus, 'public/files');
const isAbsent = !existsSync(files);
const directory = mkdtempSync(path.join(os.tmpdir(), 'preflight-corpus-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Only to end a hang; long, for busy machines. */
const wallMs = 280_000;

async function check(name: string, checks: readonly object[], password?: string) {
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const params = {
    path: path.join(files, name),
    fileName: name,
    profile: { boxPolicy: { onMissingTrim: 'Off' }, checks },
  };
  try {
    return await runTask(
      'preflight',
      { ...params, ...(password !== undefined && { password }) },
      { workDir, limits: { wallMs } },
    );
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

async function inTwoLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all([lane(), lane()]);
}

/** Checks without rendering, which would take minutes. */
const reading = checkKeys
  .filter((key) => !['Bleed', 'EmptyPages', 'TotalInkCoverage', 'Plates'].includes(key))
  .map((key) => ({ key, ...(key === 'DocumentIntegrity' && { settings: { renderTest: { isOn: false } } }) }));

test.skipIf(isAbsent)('a file gives a report or a fault with a code (skipped without the files)', async () => {
  const { entries } = JSON.parse(readFileSync(path.join(corpus, 'public/manifest.json'), 'utf8')) as {
    entries: { name: string; password?: string }[];
  };
  const passwords = new Map(
    entries.flatMap(({ name, password }) => (password === undefined ? [] : [[name, password] as const])),
  );
  const wrong: string[] = [];
  await inTwoLanes(sampled(readdirSync(files), 60), async (name) => {
    try {
      const report = await check(name, reading, passwords.get(name));
      const failed = report.checks.filter(({ state }) => state === 'failed').map(({ checkKey }) => checkKey);
      if (failed.length > 0) wrong.push(`${name}: ${failed.join(', ')}`);
    } catch (error) {
      // A fault with a code is accepted; a crash, a timeout or an internal error is not.
      const isAnswer =
        error instanceof FileFaultError && !['PDF_CRASH', 'PDF_TIMEOUT', 'INTERNAL'].includes(error.code);
      if (!isAnswer) wrong.push(`${name}: ${error}`);
    }
  });
  expect(wrong).toEqual([]);
});

/** Files made to test a rule: the rule must report them or, with `not`, must not. */
const intents: readonly { file: string; check: { key: string; settings?: object }; rule: string; not?: true }[] = [
  { file: 'preflight__72ppi.pdf', check: { key: 'ImageResolution' }, rule: 'ImageResolution.low' },
  {
    file: 'preflight__low_ppi_image_within_form_xobject.pdf',
    check: { key: 'ImageResolution' },
    rule: 'ImageResolution.low',
  },
  { file: 'preflight__bleedbox_larger_than_mediabox.pdf', check: { key: 'PageBoxes' }, rule: 'PageBoxes.nesting' },
  { file: 'preflight__artbox_and_trimbox.pdf', check: { key: 'PageBoxes' }, rule: 'PageBoxes.trimAndArt' },
  {
    file: 'preflight__encrypted.pdf',
    check: { key: 'DocumentIntegrity', settings: { renderTest: { isOn: false } } },
    rule: 'DocumentIntegrity.encrypted',
  },
  { file: 'preflight__image_5mm_bleed.pdf', check: { key: 'Bleed' }, rule: 'Bleed.short', not: true },
  { file: 'preflight__rectangle_5mm_bleed.pdf', check: { key: 'Bleed' }, rule: 'Bleed.short', not: true },
  { file: 'preflight__image_no_bleed.pdf', check: { key: 'Bleed' }, rule: 'Bleed.short' },
  { file: 'synth__p02_no_bleed_content_stops_at_trim.pdf', check: { key: 'Bleed' }, rule: 'Bleed.boxLies' },
  { file: 'preflight__registration_black.pdf', check: { key: 'RichBlack' }, rule: 'RichBlack.registrationBlack' },
  {
    file: 'preflight__spot.pdf',
    check: { key: 'SpotColors', settings: { policy: 'Disallow' } },
    rule: 'SpotColors.notAllowed',
  },
  {
    file: 'preflight__transparency.pdf',
    check: { key: 'Transparency', settings: { policy: 'Disallow' } },
    rule: 'Transparency.notAllowed',
  },
  { file: 'preflight__two_mismatched_pages.pdf', check: { key: 'PageDimentions' }, rule: 'PageDimentions.differs' },
  {
    file: 'preflight__pdfx-1a-subsetting.pdf',
    check: { key: 'PdfX', settings: { level: 'PDF/X-1a:2001' } },
    rule: '',
    not: true,
  },
  {
    file: 'preflight__pdfx-1a-no-subsetting.pdf',
    check: { key: 'PdfX', settings: { level: 'PDF/X-1a:2001' } },
    rule: '',
    not: true,
  },
  {
    file: 'synth__p13_fake_pdfx4_claim_rgb_transparency_unembedded.pdf',
    check: { key: 'PdfX' },
    rule: 'PdfX.fontEmbedded',
  },
  {
    file: 'synth__p13_fake_pdfx4_claim_rgb_transparency_unembedded.pdf',
    check: { key: 'PdfX' },
    rule: 'PdfX.outputIntent',
  },
  {
    file: 'synth__p04_tac_400_patch_and_320_patch.pdf',
    check: { key: 'TotalInkCoverage' },
    rule: 'TotalInkCoverage.cmyk',
  },
  {
    file: 'synth__p07_spot_dieline_overprint_ocg.pdf',
    check: { key: 'ProcessingSteps' },
    rule: 'ProcessingSteps.knocksOut',
    not: true,
  },
  {
    file: 'synth__p12_mixed_trim_sizes_rotate_userunit.pdf',
    check: { key: 'PageDimentions' },
    rule: 'PageDimentions.differs',
    not: true,
  },
  { file: 'synth__p18_16bit_rgb_lab_patches.pdf', check: { key: 'ColorSpaces' }, rule: 'ColorSpaces.lab' },
  {
    file: 'synth__p18_16bit_rgb_lab_patches.pdf',
    check: { key: 'RestrictedFeatures' },
    rule: 'RestrictedFeatures.sixteenBit',
  },
];

/** By day one of each check: the cases of each rule are those of the checks themselves. */
const tried = sampled(intents, intents.length, (intent) => {
  const first = intents.find(({ check: { key } }) => key === intent.check.key);
  return first === intent;
});

test.skipIf(isAbsent)('files made to test a rule are reported by it (skipped without the files)', async () => {
  const wrong: string[] = [];
  await inTwoLanes(tried, async ({ file, check: one, rule, not }) => {
    const rules = (await check(file, [one])).findings
      .filter(({ severity }) => severity !== 'Info' || rule.includes('lab') || rule.includes('sixteen'))
      .map(({ ruleKey }) => ruleKey);
    const isFound = rule === '' ? rules.length > 0 : rules.includes(rule);
    if (isFound !== !not) wrong.push(`${file}: ${rule} ${rules.join(', ')}`);
  });
  expect(wrong).toEqual([]);
});
