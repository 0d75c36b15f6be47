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

let found: readonly Isolation[] | undefined;

function findIsolations(): readonly Isolation[] {
  const isLinux = process.platform === 'linux';
  const canDieWithParent =
    isLinux && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore', timeout: 5000 }).status === 0;
  return [...fences]
    .filter(({ level }) => level === 'timer' || isLinux)
    .map(({ level, fence }): Isolation => ({ level, fence, canDieWithParent }))
    .filter((isolation) => isolation.level === 'timer' || works(isolation.fence, isolation));
}

/**
 * What this system offers, the best first; found out once per process, by starting a program in each way.
 */
export function isolations(): readonly Isolation[] {
  found ??= findIsolations();
  return found;
}

/** The best of this system, or the best that is not above a level. */
export function isolationOf(most: IsolationLevel = 'walls'): Isolation {
  const best = isolations().find(({ level }) => isAtLeast(most, level));
  if (!best) throw new Error('every system has a timer');
  return best;
}

/** The level of isolation that `runLimited` has on this system. */
export const isolationLevel = (): IsolationLevel => isolationOf().level;
