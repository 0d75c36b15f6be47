import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BenchRow, measure } from '@pdf2press/config/bench';
import { childFlags, childSettings, defaultLimits } from '@pdf2press/pdf/limited';
import { writePhotoPdf, writeTextPdf } from '@pdf2press/pdf/testing';
import { presets } from '@pdf2press/preflight/contracts';

const program = path.join(import.meta.dirname, 'child/preflight-once.cjs');

/** What is measured of each preset. */
export interface PresetSizes {
  /** Pages of text that are compared with Ghostscript, ascending. */
  text: readonly number[];
  /** The same of photographs. */
  photos: readonly number[];
  /** Pages of text whose memory is looked at. */
  many: number;
}

/** The files that may be separated whole: a thousand pages leave 10 GB of plates. */
const mostSeparated = 200;

/** Speed and memory of every house preset on files of few and many pages, compared with Ghostscript on the same files. */
export const bench = (): Promise<BenchRow[]> =>
  presetRows(
    presets.filter(({ group }) => group === 'house'),
    { text: [20, 200, 1000], photos: [20, 200], many: 5000 },
  );

/** The rows of some presets. Files are made and removed one after the other. */
export async function presetRows(
  some: readonly { key: string; profile: object }[],
  sizes: PresetSizes,
): Promise<BenchRow[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'presets-bench-'));
  const work = path.join(dir, 'work');
  const input = path.join(dir, 'input.pdf');
  const profile = path.join(dir, 'profile.json');
  const rows: BenchRow[] = [];
  const inWork = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    mkdirSync(work);
    const measured = await measure(command, args, env);
    rmSync(work, { recursive: true });
    if (measured.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${measured.exitCode}`);
    return measured;
  };
  const ours = (preset: object) => {
    writeFileSync(profile, JSON.stringify(preset));
    return inWork(
      process.execPath,
      [...childFlags(defaultLimits), program, input, profile, work],
      childSettings.environment,
    );
  };
  const separated = () =>
    inWork('gs', [
      ...['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=tiffsep', '-r150'],
      ...['-o', path.join(work, '%d.tif'), input],
    ]);
  try {
    if (spawnSync('gs', ['--version']).error === undefined) {
      const kinds = [
        ['text', sizes.text, writeTextPdf],
        ['photographs', sizes.photos, writePhotoPdf],
      ] as const;
      for (const [what, counts, write] of kinds) {
        let perPage = 0;
        for (const pages of counts) {
          await write(input, pages);
          if (pages <= mostSeparated) perPage = (await separated()).seconds / pages;
          const peer = `tiffsep -r150${pages <= mostSeparated ? '' : ', its pages at the speed of fewer'}`;
          for (const { key, profile: preset } of some) {
            const { seconds } = await ours(preset);
            const peerValue = perPage * pages;
            const name = `preset ${key}: ${pages} pages of ${what}`;
            rows.push({ name, ours: seconds, unit: 's', peer, peerValue, ratio: seconds / peerValue, limit: 0.3 });
          }
        }
      }
    }
    writeTextPdf(input, sizes.many);
    for (const { key, profile: preset } of some) {
      const { peakMegabytes } = await ours(preset);
      const name = `preset ${key}: ${sizes.many} pages of text, memory`;
      rows.push({ name, ours: peakMegabytes, unit: 'MB', limit: 400 });
    }
    return rows;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
