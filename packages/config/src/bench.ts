import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * One measurement with its limit. With a peer, `ratio` = ours / peer of the same run is compared with the limit, so that
 * the speed of the machine does not matter; without one, `ours` is.
 */
export interface BenchRow {
  name: string;
  ours: number;
  unit: 's' | 'ms' | 'KiB' | 'MB' | 'MB/s' | 'steps/s' | 'mails/s' | 'sessions/h' | 'times' | 'ratio';
  peer?: string;
  peerValue?: number;
  ratio?: number;
  /** The largest accepted value, or the smallest where `isFloor`. */
  limit: number;
  isFloor?: boolean;
}

/** Whether a row keeps its limit. */
export const isMet = (row: BenchRow): boolean => {
  const judged = row.ratio ?? row.ours;
  return row.isFloor ? judged >= row.limit : judged <= row.limit;
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
};

export interface Measured {
  seconds: number;
  /** Peak resident memory of the process and its children together, MB, sampled each 20 ms. */
  peakMegabytes: number;
  exitCode: number;
}

/** Resident bytes of a process and all below it; 0 where /proc is missing. */
export function treeMemory(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return (
      pages * 4096 +
      children
        .split(' ')
        .filter(Boolean)
        .reduce((sum, child) => sum + treeMemory(Number(child)), 0)
    );
  } catch {
    return 0; // the process ended in between
  }
}

/** Runs a program once from outside: wall seconds and peak memory of its whole tree. */
export async function measure(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Measured> {
  const begin = process.hrtime.bigint();
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  let peak = 0;
  const timer = setInterval(() => {
    if (child.pid) peak = Math.max(peak, treeMemory(child.pid));
  }, 20);
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  clearInterval(timer);
  return { seconds: Number(process.hrtime.bigint() - begin) / 1e9, peakMegabytes: peak / 1e6, exitCode };
}

/** Two programs in turn, A B A B …: medians, and the median of the ratios pair by pair. */
export async function sideBySide(
  ours: () => Promise<number>,
  peer: () => Promise<number>,
  runs = 3,
): Promise<{ ours: number; peer: number; ratio: number }> {
  const pairs: { ours: number; peer: number }[] = [];
  for (let run = 0; run < runs; run += 1) pairs.push({ ours: await ours(), peer: await peer() });
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    peer: median(pairs.map((pair) => pair.peer)),
    ratio: median(pairs.map((pair) => pair.ours / pair.peer)),
  };
}
