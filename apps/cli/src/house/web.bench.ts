import { readFileSync, rmSync } from 'node:fs';
import { type BenchRow, median } from '@pdf2press/config/bench';
import { runJourneys } from './journeys.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** The figures of the measuring browser tests with their limits, on a processor slowed down four times. */
const promises: Record<string, Pick<BenchRow, 'name' | 'unit' | 'limit'>> = {
  'sign in: LCP': { name: 'web: the sign-in is painted (LCP), 4× slower processor', unit: 'ms', limit: 1500 },
  'sign in: INP': { name: 'web: the sign-in answers (INP), 4× slower processor', unit: 'ms', limit: 200 },
  'sign in: CLS': { name: 'web: the sign-in stands still (CLS)', unit: 'ratio', limit: 0.02 },
  'sign in: long task': { name: 'web: longest task of the sign-in once loaded, 4× slower', unit: 'ms', limit: 200 },
  'sessions: LCP': { name: 'web: the sessions are painted (LCP), 4× slower processor', unit: 'ms', limit: 2500 },
  'sessions: INP': { name: 'web: the sessions answer (INP), 4× slower processor', unit: 'ms', limit: 200 },
  'sessions: CLS': { name: 'web: the sessions stand still (CLS)', unit: 'ratio', limit: 0.02 },
  'sessions: long task': { name: 'web: longest task of the sessions once loaded, 4× slower', unit: 'ms', limit: 200 },
  'builder: LCP': {
    name: 'web: the builder with 150 steps is painted (LCP), 4× slower processor',
    unit: 'ms',
    limit: 2500,
  },
  'builder: drag': { name: 'web: longest frame while a step is dragged among 150, 4× slower', unit: 'ms', limit: 50 },
  'builder: pan': {
    name: 'web: longest frame while the canvas of 150 steps is moved, 4× slower',
    unit: 'ms',
    limit: 50,
  },
  'session: LCP': {
    name: 'web: a session of 1 500 findings on 600 pages is painted (LCP), 4× slower processor',
    unit: 'ms',
    limit: 1500,
  },
  'session: scroll': {
    name: 'web: longest frame while its 1 500 findings are scrolled, 4× slower',
    unit: 'ms',
    limit: 50,
  },
  'session: page turn': {
    name: 'web: one of its 600 pages is turned, press to paint, 4× slower',
    unit: 'ms',
    limit: 200,
  },
  'session: first picture': {
    name: 'web: first picture of an uploaded file after its last byte',
    unit: 'ms',
    limit: 2000,
  },
  'proof: LCP': {
    name: 'web: a proof on a phone is painted (LCP), first visit, 4× slower processor',
    unit: 'ms',
    limit: 1500,
  },
  'proof: INP': { name: 'web: a proof on a phone answers (INP), 4× slower processor', unit: 'ms', limit: 200 },
  'proof: CLS': { name: 'web: a proof on a phone stands still (CLS)', unit: 'ratio', limit: 0.02 },
  'proof: ink toggle': {
    name: 'web: an ink of a proof is taken away or comes back, press to paint, 4× slower',
    unit: 'ms',
    limit: 100,
  },
  'proof: first picture': { name: 'web: the first picture of a proof', unit: 'KiB', limit: 30 },
  'proof: scripts': {
    name: 'web: scripts of a proof before its first data, gzip, without the words of the language',
    unit: 'KiB',
    limit: 245,
  },
  'proof: first data': {
    name: 'web: first data of a proof while all workers are busy, p95 of 30 readers who come within 3 s',
    unit: 'ms',
    limit: 400,
  },
  'page change': { name: 'web: a page of 100 000 sessions is turned, press to paint', unit: 'ms', limit: 300 },
};

/** Of each load or press. */
const repeats = 5;

interface Report {
  suites?: Report[];
  specs?: { tests: { annotations: { type: string; description?: string }[] }[] }[];
}

/** `name=value value …` of every annotation that measures. */
function measuredIn(report: Report): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { annotations } of (report.specs ?? []).flatMap(({ tests }) => tests)) {
    for (const { type, description = '' } of annotations) {
      const [name, values] = description.split('=');
      if (type === 'measured' && name && values) found.set(name, values.split(' ').map(Number));
    }
  }
  for (const suite of report.suites ?? []) for (const [name, values] of measuredIn(suite)) found.set(name, values);
  return found;
}

/** How fast the web app loads and reacts in a real browser: runs the measuring journeys five times. */
export async function bench(): Promise<BenchRow[]> {
  const folder = makeTemporaryFolder('bench');
  try {
    const { exitCode, report } = await runJourneys(folder, ['--project', 'speed'], { MEASURE_LOADS: String(repeats) });
    if (exitCode !== 0) throw new Error(`the measuring journeys ended with ${exitCode}`);
    const measured = measuredIn(JSON.parse(readFileSync(report, 'utf8')) as Report);
    return Object.entries(promises).map(([key, promise]) => {
      // The time for the same page without scripts, for comparison; it has no limit.
      const plain = measured.get(`${key} of a plain copy`);
      return {
        ...promise,
        ours: median(measured.get(key) ?? []),
        ...(plain ? { peer: 'the same page as plain HTML', peerValue: median(plain) } : {}),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
