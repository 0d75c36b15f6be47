import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fence, fences } from './fences.ts';
import { type IsolationLevel, isAtLeast } from './levels.ts';

/** How the programs of this system put a child behind the walls of a level. */
export interface Isolation {
  level: IsolationLevel;
  fence: Fence;
  /** True when the child is killed with its parent even if that is killed with SIGKILL (PR_SET_PDEATHSIG). */
  canDieWithParent: boolean;
}

/** Whether a program starts behind this fence and ends well. */
function works(fence: Fence, { canDieWithParent }: { canDieWithParent: boolean }): boolean {
  const workDir = mkdtempSync(join(tmpdir(), 'pdf2press-fence-'));
  try {
    const [program = '', ...args] = fence(
      { workDir, reads: [], writes: [], canDieWithParent, limits: ['--core=0'] },
      // The program of every child, so that it is known to start there.
      [process.execPath, '--version'],
    );
    return spawnSync(program, args, { cwd: workDir, stdio: 'ignore', timeout: 10_000 }).status === 0;
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

/** Whether children of this system can be ended with their parent. */
const endsWithParent = (): boolean =>
  spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore', timeout: 5000 }).status === 0;

let candidates: readonly Isolation[] | undefined;
const tried = new Map<Fence, boolean>();

/** The ways to fence a child in that this kind of system may know, the best first. */
function possible(): readonly Isolation[] {
  const isLinux = process.platform === 'linux';
  if (candidates) return candidates;
  const canDieWithParent = isLinux && endsWithParent();
  candidates = fences.filter(({ level }) => level === 'timer' || isLinux).map((one) => ({ ...one, canDieWithParent }));
  return candidates;
}

/** Found out once per process and way, by starting a program in it: a command on a small file waits for one, not for all. */
function isHere(isolation: Isolation): boolean {
  const known = tried.get(isolation.fence);
  if (known !== undefined) return known;
  const isFound = isolation.level === 'timer' || works(isolation.fence, isolation);
  tried.set(isolation.fence, isFound);
  return isFound;
}

/** All that this system offers, the best first. */
export const isolations = (): readonly Isolation[] => possible().filter(isHere);

/** The best of this system, or the best that is not above a level. */
export function isolationOf(most: IsolationLevel = 'walls'): Isolation {
  const best = possible().find((one) => isAtLeast(most, one.level) && isHere(one));
  if (!best) throw new Error('every system has a timer');
  return best;
}

/** The level of isolation that `runLimited` has on this system. */
export const isolationLevel = (): IsolationLevel => isolationOf().level;
