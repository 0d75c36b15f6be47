/**
 * Whatever this action names PDF/X passes the preflight preset of the standard afterwards. The files are the cases of the
 * checks: one on each side of every rule that a standard has.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import { FileFaultError } from '@pdf2press/contract';
import { openPdf } from '@pdf2press/pdf';
import { areToolsHere, buildPdf } from '@pdf2press/pdf/testing';
import { presets } from '@pdf2press/preflight/contracts';
import { preflight } from '@pdf2press/preflight/run';
import { pdfOf, ruleCases } from '@pdf2press/preflight/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixPresetOf } from '../../profile/presets.ts';
import { corpus, few, isAll } from '../../testing/corpus-cases.ts';
import { fixed, quicklyFixedBy } from '../../testing/fix-files.ts';
import { faultsByWalk } from '../../testing/pdfx-walk.ts';

const key = 'ConvertToPdfX';
const standards = ['PDF/X-4', 'PDF/X-1a:2001', 'PDF/X-1a:2003'] as const;

/** Rules that the preset of a standard finds broken in a file. */
async function brokenIn(file: string, standard: string): Promise<string[]> {
  const preset = presets.find(({ name }) => name === standard);
  if (!preset) throw new Error(standard);
  const pdf = openPdf({ path: file });
  try {
    const { findings } = await preflight({
      file: pdf,
      fileName: '',
      sha256: '',
      profile: preset.profile,
      services: {
        render: () => {
          throw new Error('not asked');
        },
      },
    });
    return findings.map(({ ruleKey, params }) => `${ruleKey} ${JSON.stringify(params)}`);
  } finally {
    pdf.close();
  }
}

/** Converts a file; what the preset of the standard still finds where it was named PDF/X, and whether it was. */
async function converted(input: Uint8Array | string, standard: string) {
  const { report, path: out } = await quicklyFixedBy(input, key, { standard });
  const [action] = report.actions;
  const isNamed = action?.outcome === 'Applied' || action?.outcome === 'NothingToDo';
  return { action, isNamed, broken: isNamed ? await brokenIn(out, standard) : [] };
}

const checks = ['PdfX', 'RestrictedFeatures', 'Fonts', 'Layers', 'PageBoxes', 'OutputIntent', 'Annotations'] as const;

describe.each(sampled(standards, 2))('%s', (standard) => {
  test.each(sampled(checks, 2))('is kept by what is named so, of the cases of %s', async (check) => {
    const wrong: string[] = [];
    let named = 0;
    for (const { rule, breaks, passes } of ruleCases[check]) {
      for (const [side, doc] of Object.entries({ breaks, passes })) {
        try {
          const { isNamed, broken } = await converted(pdfOf(doc), standard);
          if (isNamed) named += 1;
          wrong.push(...broken.map((one) => `${check}.${rule} ${side}: ${one}`));
        } catch (error) {
          // Some cases are files that nobody can open.
          if (!(error instanceof FileFaultError)) throw error;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(named).toBeGreaterThan(0);
  });

  test.skipIf(!existsSync(corpus))('is kept by what is named so, of files of many producers', async () => {
    const files = path.join(corpus, 'public/files');
    const wrong: string[] = [];
    for (const name of isAll ? readdirSync(files) : few) {
      try {
        const { broken } = await converted(path.join(files, name), standard);
        wrong.push(...broken.map((one) => `${name}: ${one}`));
      } catch (error) {
        if (!(error instanceof FileFaultError)) throw error;
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(!existsSync(corpus))('of files of many producers (needs the corpus)', () => {
  const files = path.join(corpus, 'public/files');
  // The first has a font that is not embedded, the second one for which nothing can be.
  const names = isAll ? readdirSync(files) : ['pdfjs__highlight_popup.pdf', 'opf__459011.pdf', ...sampled(few, 2)];
  // By day the one that does all that the other does, and flattens besides.
  const written = [
    ['pdfx-1a', 'PDF/X-1a:2003'],
    ['pdfx-4', 'PDF/X-4'],
  ] as const;
  test.each(sampled(written, 2))(
    'what the preset %s writes is %s',
    { timeout: isAll ? 7_200_000 : 240_000 },
    async (preset, standard) => {
      const wrong: string[] = [];
      let written = 0;
      for (const name of names) {
        try {
          const actions = fixPresetOf(preset)?.profile.actions ?? [];
          const { report, path: out } = await fixed(path.join(files, name), actions, { gate: { method: 'RGB' } });
          const failed = report.actions.find(({ outcome, reason }) => outcome === 'Failed' && reason !== null);
          if (Boolean(failed) !== (report.out === null))
            wrong.push(`${name}: ${failed?.reason?.code}, written ${report.out !== null}`);
          if (!report.out) continue;
          written += 1;
          const [own, walk] = [await brokenIn(out, standard), areToolsHere() ? faultsByWalk(out, standard) : []];
          wrong.push(
            ...own.map((one) => `${name}: ${one}`),
            ...walk.map((one) => `${name}, by qpdf and MuPDF: ${one}`),
          );
        } catch (error) {
          if (!(error instanceof FileFaultError)) throw error;
        }
      }
      expect(wrong).toEqual([]);
      expect(written).toBeGreaterThan(0);
    },
  );
});

/** The walk finds what is planted: each of these is the file that the preset made, spoilt. */
describe.skipIf(!areToolsHere())('the walk over a result finds', () => {
  const page = { content: '0 0 0 1 k 20 20 60 60 re f', mediaBox: [0, 0, 100, 100], extra: '/TrimBox [10 10 90 90]' };
  const spoilt: Readonly<Record<string, [change: (text: string) => string, fault: RegExp]>> = {
    'another claim': [(text) => text.replaceAll('PDF/X-4', 'PDF/X-5'), /^claims /],
    JavaScript: [
      (text) => text.replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /JavaScript /JS (x) >>'),
      /^action /,
    ],
    'no ID': [(text) => text.replaceAll('/ID [', '/IX ['), /^no ID$/],
    'no TrimBox': [(text) => text.replaceAll('/TrimBox', '/TremBox'), /neither TrimBox nor ArtBox/],
    'a TrimBox beyond the page': [
      (text) => text.replace(/\/TrimBox ?\[[^\]]*\]/, (box) => '/TrimBox[10 10 99 199]'.padEnd(box.length)),
      /TrimBox beyond/,
    ],
    'a scanner profile': [(text) => text.replaceAll('prtrCMYK', 'scnrCMYK'), /output profile of class scnr/],
    'no identifier': [
      (text) => text.replaceAll('/OutputConditionIdentifier', '/OutputConditionIdentifer'),
      /no OutputConditionIdentifier/,
    ],
  };
  /** The result as plain text, so that what is replaced can be found. */
  let plain: string;
  beforeAll(async () => {
    const actions = fixPresetOf('pdfx-4')?.profile.actions ?? [];
    const { report, path: out } = await fixed(buildPdf({ pages: [page] }), actions, { gate: { method: 'RGB' } });
    expect(report.out).not.toBeNull();
    expect(faultsByWalk(out, 'PDF/X-4')).toEqual([]);
    plain = `${out}.plain.pdf`;
    spawnSync('qpdf', ['--qdf', '--object-streams=disable', '--stream-data=uncompress', out, plain]);
  });
  test.each(Object.entries(spoilt))('%s', (_, [change, fault]) => {
    const spoiled = `${plain}.spoilt.pdf`;
    const [before, after] = [readFileSync(plain, 'latin1'), change(readFileSync(plain, 'latin1'))];
    expect(after).not.toBe(before);
    writeFileSync(spoiled, after, 'latin1');
    expect(faultsByWalk(spoiled, 'PDF/X-4').some((one) => fault.test(one))).toBe(true);
  });
});
