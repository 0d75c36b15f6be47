/** What preflight says does not depend on what else the machine does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { seeded } from '@pdf2press/config/seeded';
import { buildPdf, writeTextPdf } from '@pdf2press/pdf/testing';
import { presets } from '@pdf2press/preflight/contracts';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'saturated-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Pictures, opacity, overprint, a spot colour, a gradient, and text in a font that is not embedded. */
function flyer(): string {
  const random = seeded(5);
  const [width, height] = [420, 600];
  const pixels = Uint8Array.from({ length: width * height * 4 }, (_, i) => 60 + 50 * Math.sin(i / 900) + random() * 40);
  const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.6 0.2] >>';
  const file = path.join(directory, 'flyer.pdf');
  writeFileSync(
    file,
    buildPdf({
      objects: {
        5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        6: {
          dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceCMYK /BitsPerComponent 8 /Filter /FlateDecode`,
          data: deflateSync(pixels),
        },
      },
      pages: [1, 2, 3].map((page) => ({
        mediaBox: [0, 0, 340, 460],
        extra: '/TrimBox [20 20 320 440] /BleedBox [11 11 329 449]',
        resources: `/XObject << /I 6 0 R >> /Font << /F 5 0 R >> /ColorSpace << /S [/Separation /Gold /DeviceCMYK ${tint}] >> /ExtGState << /G << /ca 0.6 /BM /Multiply >> /O << /op true /OP true /OPM 1 >> >> /Shading << /H << /ShadingType 2 /ColorSpace /DeviceCMYK /Coords [0 0 300 0] /Function ${tint} >> >>`,
        content: `q 200 0 0 280 11 ${11 + page} cm /I Do Q q 60 60 200 90 re W n /H sh Q q /G gs 0.9 0.9 0.9 0.8 k 40 300 90 90 re f Q q /O gs /S cs 1 scn 200 250 60 60 re f Q BT /F 4 Tf 0 0 0 1 k 24 22 Td (Lorem ipsum) Tj ET 0.05 w 30 30 m 300 400 l S`,
      })),
    }),
  );
  return file;
}

/** Processes that take all processor time there is: two for each processor. */
function burners(): ChildProcess[] {
  return Array.from({ length: 2 * os.availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  );
}

async function reportOf(file: string, profile: object): Promise<string> {
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  try {
    // The clock ends what hangs, and nothing here does.
    const limits = { wallMs: 900_000 };
    const report = await runTask('preflight', { path: file, fileName: 'job.pdf', profile }, { workDir, limits });
    // When it began and how long it took is all that may differ.
    return JSON.stringify(report, (key, value) => (['startedAt', 'durationMs'].includes(key) ? '' : value));
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

const chosen = presets.filter(({ key, group }) => group === 'house' || key === 'gwg2022-sheetspot-cmyk');
/** How often each file is checked at the same time. */
const times = 2;

test.each(chosen.map(({ key, profile }) => [key, profile] as const))(
  'beside a saturated machine %s says the same, byte for byte @night',
  { timeout: 1_800_000 },
  async (_, profile) => {
    const text = path.join(directory, 'text.pdf');
    writeTextPdf(text, 20);
    const files = [flyer(), text];
    const alone: string[] = [];
    for (const file of files) alone.push(await reportOf(file, profile));
    const busy = burners();
    try {
      // Several at once, beside the burners.
      const beside = await Promise.all(
        files.flatMap((file) => Array.from({ length: times }, () => reportOf(file, profile))),
      );
      expect(beside).toEqual(alone.flatMap((report) => Array.from({ length: times }, () => report)));
    } finally {
      for (const one of busy) one.kill('SIGKILL');
    }
    expect(alone.join()).not.toContain('cannotEvaluate');
  },
);
