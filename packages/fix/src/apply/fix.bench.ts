/** Time that fixes take, compared with Ghostscript rewriting the whole file. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchRow, type Measured, measure, sideBySide } from '@pdf2press/config/bench';
import { encodeJpeg } from '@pdf2press/pdf';
import { buildPdf, type ObjectSource } from '@pdf2press/pdf/testing';

const cli = fileURLToPath(new URL('../../../../apps/cli/bin/pdf2press.js', import.meta.url));

/** Pages with one large RGB photograph each: smooth tones with noise, which compress badly. */
async function imageFile(
  file: string,
  pages: number,
  [width, height]: readonly [number, number],
  quality: number,
): Promise<void> {
  const objects: Record<number, ObjectSource> = {};
  const pixels = new Uint8Array(width * height * 3);
  for (let page = 0; page < pages; page += 1) {
    let seed = page + 1;
    for (let at = 0; at < pixels.length; at += 1) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      const x = Math.floor(at / 3) % width;
      pixels[at] = ((x * (1 + (at % 3)) * 255) / (width * 3) + ((seed >> 16) % 48)) & 255;
    }
    const bytes = await encodeJpeg(pixels, { width, height, components: 3 }, { quality, isSubsampled: false });
    objects[100 + page] = {
      dict: `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`,
      data: bytes,
    };
  }
  const content = 'q 595 0 0 842 0 0 cm /Im Do Q';
  writeFileSync(
    file,
    buildPdf({
      objects,
      pages: Array.from({ length: pages }, (_, page) => ({
        content,
        mediaBox: [0, 0, 595, 842],
        resources: `/XObject<</Im ${100 + page} 0 R>>`,
      })),
    }),
  );
}

/** Pages of dense text in an embedded font, made by Ghostscript because the repository contains no font file. */
function textFile(file: string, dir: string, pages: number): boolean {
  const source = path.join(dir, 'text.ps');
  const lines = Array.from(
    { length: 55 },
    (_, line) =>
      `50 ${790 - line * 13} moveto (The quick brown fox jumps over the lazy dog; pack my box with five dozen jugs ${line}) show`,
  );
  writeFileSync(
    source,
    `%!PS\n/Times-Roman findfont 10 scalefont setfont\n1 1 ${pages} { pop ${lines.join('\n')} showpage } for\n`,
  );
  return (
    spawnSync('gs', ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/prepress', '-o', file, source])
      .status === 0
  );
}

export async function bench(): Promise<BenchRow[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fix-bench-'));
  const at = (name: string): string => path.join(dir, name);
  const fixed = async (args: readonly string[]): Promise<Measured> => {
    const run = await measure(process.execPath, [cli, 'fix', ...args]);
    if (run.exitCode !== 0) throw new Error(`fix ${args.join(' ')}: ${run.exitCode}`);
    return run;
  };
  let peak = 0;
  const ours = async (args: readonly string[]): Promise<number> => {
    const run = await fixed(args);
    peak = Math.max(peak, run.peakMegabytes);
    return run.seconds;
  };
  /** The memory of all runs of ours since the last row of this kind. */
  const memoryRow = (of: string): BenchRow => {
    const row = { name: `fix: memory of ${of}`, ours: peak, unit: 'MB', limit: 200 } as const;
    peak = 0;
    return row;
  };
  const gs = async (args: readonly string[]): Promise<number> =>
    (await measure('gs', ['-q', '-dNOPAUSE', '-dBATCH', ...args])).seconds;
  const rows: BenchRow[] = [];
  try {
    await imageFile(at('rgb.pdf'), 20, [2480, 3508], 90);
    const colour = await sideBySide(
      () => ours([at('rgb.pdf'), '--action', 'ColorspaceTransformation', '--out', at('cmyk.pdf')]),
      () =>
        gs([
          '-sDEVICE=pdfwrite',
          '-sColorConversionStrategy=CMYK',
          '-sProcessColorModel=DeviceCMYK',
          '-o',
          at('gs-cmyk.pdf'),
          at('rgb.pdf'),
        ]),
      1,
    );
    rows.push({
      name: 'fix: 20 RGB image pages to CMYK',
      ours: colour.ours,
      unit: 's',
      peer: 'gs pdfwrite',
      peerValue: colour.peer,
      ratio: colour.ratio,
      limit: 0.1,
    });
    rows.push(memoryRow('20 RGB image pages to CMYK'));
    if (textFile(at('text.pdf'), dir, 100)) {
      const outline = await sideBySide(
        () => ours([at('text.pdf'), '--action', 'FontsOutline', '--out', at('outline.pdf')]),
        () => gs(['-sDEVICE=pdfwrite', '-dNoOutputFonts', '-o', at('gs-outline.pdf'), at('text.pdf')]),
        1,
      );
      rows.push({
        name: 'fix: outlines of 100 text pages',
        ours: outline.ours,
        unit: 's',
        peer: 'gs -dNoOutputFonts',
        peerValue: outline.peer,
        ratio: outline.ratio,
        limit: 0.12,
      });
      rows.push(memoryRow('outlines of 100 text pages'));
      const [size, peer] = [statSync(at('outline.pdf')).size / 1e6, statSync(at('gs-outline.pdf')).size / 1e6];
      rows.push({
        name: 'fix: size of the outlines',
        ours: size,
        unit: 'MB',
        peer: 'gs -dNoOutputFonts',
        peerValue: peer,
        ratio: size / peer,
        limit: 0.1,
      });
    }
    await imageFile(at('large.pdf'), 200, [1200, 1697], 88);
    const size = `${Math.round(statSync(at('large.pdf')).size / 1e6)} MB`;
    // What was just written is on the disk before anything is timed: writing it would slow the first of them.
    spawnSync('sync');
    for (const action of ['SetPageBoxes', 'Overprint', 'RichBlack']) {
      const copied = await sideBySide(
        () => ours([at('large.pdf'), '--action', action, '--out', at('large-out.pdf')]),
        async () => (await measure('cp', [at('large.pdf'), at('copy.pdf')])).seconds,
      );
      rows.push({
        name: `fix: ${action} on ${size}`,
        ours: copied.ours,
        unit: 's',
        peer: 'cp',
        peerValue: copied.peer,
        ratio: copied.ratio,
        limit: 3,
      });
      rows.push(memoryRow(`${action} on ${size}`));
    }
    return rows;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
