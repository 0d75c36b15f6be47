/**
 * What the flyer preset says of public files beside what an expert says who looked at each of them. Skipped without the
 * files; CORPUS_DIR names their folder.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Finding } from '@pdf2press/contract';
import { openPdf, openRenderService } from '@pdf2press/pdf';
import { afterAll, expect, test } from 'vitest';
import { findingSentence } from '../findings/finding-sentence.ts';
import { preflight } from '../judge/preflight.ts';
import { opinions } from './flyer-opinions.ts';
import { presetOf } from './presets.ts';

const corpus = process.env.CORPUS_DIR ?? path.resolve(import.meta.dirname, '../../../../../shared/corpus');
const files = path.join(corpus, 'public/files');
const isAbsent = !existsSync(files);
const page = path.resolve(import.meta.dirname, '../../../../docs/flyer-opinions.md');
const directory = mkdtempSync(path.join(os.tmpdir(), 'flyer-opinions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The findings of the flyer preset that are no notes; the first one of each rule. */
async function said(name: string): Promise<Finding[]> {
  const file = path.join(files, name);
  const profile = presetOf('business-card-flyer')?.profile;
  if (!profile) throw new Error('business-card-flyer');
  const pdf = openPdf({ path: file });
  const service = openRenderService({ path: file, workDir: directory });
  try {
    const services = { render: () => service };
    const { findings } = await preflight({ file: pdf, fileName: name, sha256: '', profile, services });
    const firsts = new Map<string, Finding>();
    for (const finding of findings) {
      const known = firsts.get(finding.ruleKey);
      if (finding.severity !== 'Info' && (!known || (finding.severity === 'Fail' && known.severity !== 'Fail')))
        firsts.set(finding.ruleKey, finding);
    }
    return [...firsts.values()];
  } finally {
    service.close();
    pdf.close();
  }
}

const sentences = new Map<string, string[]>();

test.skipIf(isAbsent).each(opinions)(
  '$file: the flyer preset says what an expert says',
  async ({ file, rules }) => {
    const findings = await said(file);
    sentences.set(
      file,
      findings.map(
        (one) => `${one.severity === 'Fail' ? '**E**' : 'W'} ${findingSentence(one, 'en', 'operator', 'Millimeters')}`,
      ),
    );
    expect(findings.map(({ ruleKey }) => ruleKey).sort()).toEqual([...rules].sort());
  },
  120_000,
);

test.skipIf(isAbsent)('docs/flyer-opinions.md shows both', () => {
  const rows = opinions.map(
    ({ file, expert, difference }) =>
      `| ${file} | ${expert} | ${(sentences.get(file) ?? []).join('<br>')} | ${difference ?? 'the same'} |`,
  );
  const text = `# The flyer preset beside an expert

Twenty public files, each looked at as if it had been ordered as a flyer of four colours. The second column was written by looking at the page and its objects; the third is what the preset *Business card or flyer* says: one sentence for each rule, **E** for an error and W for a warning, without notes. To regenerate this file run
\`PREFLIGHT_QUALITY=write npx vitest run --config packages/config/vitest.config.ts --project preflight flyer-opinions\`.

| File | The expert | The preset | Difference |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  if (process.env.PREFLIGHT_QUALITY === 'write') writeFileSync(page, text);
  expect(existsSync(page) ? readFileSync(page, 'utf8') : '').toBe(text);
});
