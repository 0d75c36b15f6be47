/** Runs one preflight in this process, for benchmarks: `node preflight-once.js FILE PROFILE.json WORKDIR`. */
import { readFileSync } from 'node:fs';
import { loadMupdf } from '@pdf2press/pdf/mupdf';
import { run } from './preflight.ts';

async function runOnce(path = '', profile = '', workDir = ''): Promise<void> {
  await loadMupdf();
  const request = { path, fileName: path, sha256: '0', profile: JSON.parse(readFileSync(profile, 'utf8')) };
  const report = await run(request, { workDir, progress: () => undefined, keep: () => undefined });
  if (report.checks.some(({ state }) => state === 'failed')) throw new Error(JSON.stringify(report.findings));
}

void runOnce(...process.argv.slice(2));
