import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BenchRow, sideBySide } from '@pdf2press/config/bench';
import sharp from 'sharp';
import { buildPdf, type ObjectSource } from '../testing/build-pdf.ts';
import { type GhostscriptKind, nativeGhostscript } from './ghostscript.ts';
import { openRenderService } from './render-service.ts';

const pageCount = 4;
const dpi = 150;
const image = { width: 1800, height: 2500 };

/** A picture full of detail, so that it compresses as badly as a photograph. */
async function photograph(seed: number): Promise<Uint8Array> {
  const pixels = new Uint8Array(image.width * image.height * 3);
  let noise = seed;
  for (let index = 0; index < pixels.length; index += 1) {
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) & 0x7fffffff;
    const x = Math.floor(index / 3) % image.width;
    pixels[index] = 128 + 100 * Math.sin(x / 200 + (index % 3)) + ((noise >> 16) & 15);
  }
  const raw = { ...image, channels: 3 as const };
  return sharp(pixels, { raw }).toColourspace('cmyk').jpeg({ quality: 80 }).toBuffer();
}

/** Four pages with bleed, about 5 MB: a picture, a transparent panel, an overprinting spot ink, a column of text. */
async function flyer(): Promise<Uint8Array> {
  const objects: Record<number, ObjectSource> = { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' };
  const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.6 0.2] >>';
  const text = Array.from({ length: 50 }, (_, line) => `(Lorem ipsum dolor sit amet consectetur ${line}) Tj T*`).join(
    '\n',
  );
  const pages = [];
  for (let page = 0; page < pageCount; page += 1) {
    objects[10 + page] = {
      dict:
        `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height} /ColorSpace /DeviceCMYK` +
        ' /BitsPerComponent 8 /Filter /DCTDecode /Decode [1 0 1 0 1 0 1 0]',
      data: await photograph(page + 1),
    };
    pages.push({
      mediaBox: [0, 0, 612, 859],
      resources:
        `/XObject << /I ${10 + page} 0 R >> /Font << /F1 5 0 R >>` +
        ' /ExtGState << /G << /ca 0.6 /BM /Multiply >> /O << /op true /OP true /OPM 1 >> >>' +
        ` /ColorSpace << /S [/Separation /Gold /DeviceCMYK ${tint}] >>`,
      content:
        'q 612 0 0 859 0 0 cm /I Do Q q /G gs 0.2 0.5 0 0 k 50 100 500 620 re f Q q /O gs /S cs 1 scn 100 50 200 30 re f Q' +
        ` BT /F1 9 Tf 0 0 0 1 k 60 700 Td 11 TL ${text} ET`,
      extra: '/TrimBox [8.5 8.5 603.5 850.5]',
    });
  }
  return buildPdf({ pages, objects });
}

async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Compares plates with ink statistics of a flyer with a plain Ghostscript separation of the same pages. */
export async function bench(): Promise<BenchRow[]> {
  const workDir = mkdtempSync(path.join(os.tmpdir(), 'plates-bench-'));
  const file = path.join(workDir, 'flyer.pdf');
  writeFileSync(file, await flyer());
  const separate = async (ghostscript: GhostscriptKind): Promise<void> => {
    const render = openRenderService({ path: file, workDir, defaults: { ghostscript } });
    const pages = Array.from({ length: pageCount }, (_, index) => index + 1);
    render.expectPlates(pages, { dpi });
    for (const page of pages) (await render.plates(page, { dpi })).statistics();
    render.close();
  };
  const peer = (): void => {
    const out = path.join(workDir, 'peer-%d.tif');
    spawnSync('gs', ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=tiffsep', `-r${dpi}`, '-o', out, file]);
  };
  const limits: [GhostscriptKind, number][] = [
    ['native', 2],
    ['embedded', 6],
  ];
  const rows: BenchRow[] = [];
  // Without a native Ghostscript there is nothing to compare with.
  for (const [kind, limit] of nativeGhostscript() === null ? [] : limits) {
    const {
      ours,
      peer: theirs,
      ratio,
    } = await sideBySide(
      () => seconds(() => separate(kind)),
      () => seconds(peer),
    );
    rows.push({
      name: `plates and ink statistics of a 4-page flyer, 150 dpi, ${kind} Ghostscript`,
      ours,
      unit: 's',
      peer: 'gs tiffsep -r150',
      peerValue: theirs,
      ratio,
      limit,
    });
  }
  rmSync(workDir, { recursive: true, force: true });
  return rows;
}
