import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { type BenchRow, measure, sideBySide } from '@pdf2press/config/bench';
import { seeded } from '@pdf2press/config/seeded';
import { childFlags, childSettings, defaultLimits } from '@pdf2press/pdf/limited';
import { buildPdf, type ObjectSource, writeImagePdf, writeTextPdf } from '@pdf2press/pdf/testing';
import { checkKeys } from '@pdf2press/preflight/contracts';
import { runnerOf } from '@pdf2press/preflight/testing';

const program = path.join(import.meta.dirname, 'child/preflight-once.cjs');
const hasTool = (name: string, flag: string) => spawnSync(name, [flag]).error === undefined;

/** Every check with its defaults, or only those without rendering. */
function profileOf(withPictures: boolean): object {
  const keys = checkKeys.filter((key) => withPictures || !runnerOf(key).plates);
  return {
    checks: keys.map((key) => ({
      key,
      ...(key === 'DocumentIntegrity' && !withPictures && { settings: { renderTest: { isOn: false } } }),
    })),
  };
}

/** Four pages, together 5 MB: an image with bleed, a transparent rectangle, a spot colour that overprints, text. */
function flyer(): Uint8Array {
  const random = seeded(7);
  const [width, height] = [900, 1260];
  const objects: Record<number, ObjectSource> = { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' };
  const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.6 0.2] >>';
  const text = Array.from({ length: 50 }, (_, line) => `(Lorem ipsum dolor sit amet consectetur ${line}) Tj T*`).join(
    '\n',
  );
  const pages = [1, 2, 3, 4].map((page) => {
    const pixels = new Uint8Array(width * height * 4);
    for (let i = 0; i < pixels.length; i += 1) pixels[i] = 90 + 60 * Math.sin(i / 4000 + (i % 4)) + random() * 3.4;
    objects[10 + page] = {
      dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceCMYK /BitsPerComponent 8 /Filter /FlateDecode`,
      data: deflateSync(pixels),
    };
    return {
      mediaBox: [0, 0, 612, 859],
      resources:
        `/XObject << /I ${10 + page} 0 R >> /Font << /F1 5 0 R >>` +
        ' /ExtGState << /G << /ca 0.6 /BM /Multiply >> /O << /op true /OP true /OPM 1 >> >>' +
        ` /ColorSpace << /S [/Separation /Gold /DeviceCMYK ${tint}] >>`,
      content: `q 612 0 0 859 0 0 cm /I Do Q q /G gs 0.2 0.5 0 0 k 50 100 500 620 re f Q q /O gs /S cs 1 scn 100 50 200 30 re f Q BT /F1 9 Tf 0 0 0 1 k 60 700 Td 11 TL ${text} ET`,
      extra: '/TrimBox [8.5 8.5 603.5 850.5]',
    };
  });
  return buildPdf({ pages, objects });
}

/** Speed and memory of preflight, compared with mutool and Ghostscript on the same files. */
export async function bench(): Promise<BenchRow[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'preflight-bench-'));
  try {
    return await rows(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function rows(dir: string): Promise<BenchRow[]> {
  const file = (name: string) => path.join(dir, name);
  const [reading, everything, work] = [file('reading.json'), file('all.json'), file('work')];
  writeFileSync(reading, JSON.stringify(profileOf(false)));
  writeFileSync(everything, JSON.stringify(profileOf(true)));
  mkdirSync(work);
  const ours = async (input: string, profile: string) => {
    const flags = childFlags(defaultLimits);
    const measured = await measure(
      process.execPath,
      [...flags, program, input, profile, work],
      childSettings.environment,
    );
    if (measured.exitCode !== 0) throw new Error(`preflight of ${path.basename(input)} failed`);
    return measured;
  };
  const found: BenchRow[] = [];

  const texts = [10, 100, 1000].map((pages) => ({ pages, input: file(`text${pages}.pdf`) }));
  for (const { pages, input } of texts) writeTextPdf(input, pages);
  const thousand = file('text1000.pdf');
  if (hasTool('mutool', '-v')) {
    const both = await sideBySide(
      async () => (await ours(thousand, reading)).seconds,
      async () => (await measure('mutool', ['trace', thousand])).seconds,
    );
    found.push({
      name: 'all reading checks, 1000 pages of dense text',
      ours: both.ours,
      unit: 's',
      peer: 'mutool trace',
      peerValue: both.peer,
      ratio: both.ratio,
      limit: 1,
    });
  }
  const times: number[] = [];
  for (const { input } of texts) times.push((await ours(input, reading)).seconds);
  const [ten = 0, hundred = 0, all = 0] = times;
  // Differences remove the start time, which does not depend on the file; linear growth gives a ratio of 10.
  found.push({
    name: 'reading checks: growth from 100 to 1000 pages over growth from 10 to 100',
    ours: (all - hundred) / (hundred - ten),
    unit: 'ratio',
    limit: 12,
  });

  const pictures = file('pictures.pdf');
  writeImagePdf(pictures, 200, 1_650_000);
  const large = await ours(pictures, reading);
  found.push({ name: 'all reading checks, 200 pages, 330 MB of pictures', ours: large.seconds, unit: 's', limit: 3 });
  found.push({ name: 'the same, memory', ours: large.peakMegabytes, unit: 'MB', limit: 250 });
  rmSync(pictures);

  // Kept per page, the plates' totals alone would be 4 MB each.
  const looked: number[] = [];
  for (const pages of [20, 200]) {
    const input = file(`looked${pages}.pdf`);
    writeTextPdf(input, pages);
    looked.push((await ours(input, everything)).peakMegabytes);
  }
  const [few = 0, many = 0] = looked;
  found.push({ name: 'every check with plates, 200 pages of text, memory', ours: many, unit: 'MB', limit: 400 });
  found.push({ name: 'the same over that of 20 pages', ours: many / few, unit: 'ratio', limit: 1.3 });

  const sheet = file('flyer.pdf');
  writeFileSync(sheet, flyer());
  if (hasTool('gs', '--version')) {
    const args = [
      '-q',
      '-dNOPAUSE',
      '-dBATCH',
      '-dSAFER',
      '-sDEVICE=tiffsep',
      '-r150',
      `-sOutputFile=${path.join(work, 'gs%d.tif')}`,
      sheet,
    ];
    const both = await sideBySide(
      async () => (await ours(sheet, everything)).seconds,
      async () => (await measure('gs', args)).seconds,
    );
    found.push({
      name: 'every check with plates at 150 dpi (what may be a barcode at 400), flyer of 4 pages',
      ours: both.ours,
      unit: 's',
      peer: 'Ghostscript tiffsep',
      peerValue: both.peer,
      ratio: both.ratio,
      limit: 2,
    });
  }
  return found;
}
