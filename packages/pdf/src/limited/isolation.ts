import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Fence, fences } from './fences.ts';
import { type IsolationLevel, isAtLeast } from './levels.ts';

/** How the programs of this system put a child behind the walls of a level. */
export interface Isolation {
  level: IsolationLevel;
  fence: Fence;
  /** Landlock by `setpriv`. */
  needsLandlock?: true;
  /** True when the child is killed with its parent even if that is killed with SIGKILL (PR_SET_PDEATHSIG). */
  canDieWithParent: boolean;
}

/** Whether a program starts behind this fence and ends well. */
function works({ fence, canDieWithParent }: Isolation): boolean {
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

const isLinux = process.platform === 'linux';

/** The levels whose fences stand without `setpriv`, which is what ends a child with its parent. */
const withoutSetpriv: readonly IsolationLevel[] = ['limits', 'timer'];

/** The ways to fence a child in that this kind of system may know, the best first. The last one works everywhere. */
const ways: readonly Isolation[] = [
  ...(isLinux ? fences : []).flatMap((one) => [
    { ...one, canDieWithParent: true },
    ...(withoutSetpriv.includes(one.level) ? [{ ...one, canDieWithParent: false }] : []),
  ]),
  ...fences.filter(({ level }) => level === 'timer' && !isLinux).map((one) => ({ ...one, canDieWithParent: false })),
];

/** Whether a way works here, as far as that is known. */
const known = new Map(ways.slice(-1).map((last) => [last, true]));

/**
 * Whether the `setpriv` of this system has the word for Landlock, which util-linux has since 2.40. One that has not is not
 * tried with it: a command on a small file would wait longer for that than for its work.
 */
function hasWordForLandlock(): boolean {
  for (const folder of (process.env.PATH ?? '/usr/bin').split(delimiter)) {
    try {
      return readFileSync(join(folder, 'setpriv')).includes('landlock');
    } catch {
      // Not in this folder, or not to be read; in none of them, nothing is to be lost.
    }
  }
  return false;
}

let isLandlockSaid: boolean | undefined;

/** What is known of a way without starting anything. */
function knownOf(isolation: Isolation): boolean | undefined {
  if (isolation.needsLandlock && !known.has(isolation)) {
    isLandlockSaid ??= hasWordForLandlock();
    if (!isLandlockSaid) known.set(isolation, false);
  }
  return known.get(isolation);
}

/** Whether a way works here: found out once per process and way, by starting a program in it. */
export function isHere(isolation: Isolation): boolean {
  const isFound = knownOf(isolation) ?? works(isolation);
  known.set(isolation, isFound);
  return isFound;
}

/** All that this system offers, the best first. */
export const isolations = (): readonly Isolation[] => ways.filter(isHere);

function best(most: IsolationLevel, may: (isolation: Isolation) => boolean): Isolation {
  const found = ways.find((one) => isAtLeast(most, one.level) && may(one));
  if (!found) throw new Error('every system has a timer');
  return found;
}

/** The best of this system, or the best that is not above a level. */
export const isolationOf = (most: IsolationLevel = 'walls'): Isolation => best(most, isHere);

/** The best that is not known to fail here, without the time that trying it would take. */
export const hopefulIsolationOf = (most: IsolationLevel = 'walls'): Isolation =>
  best(most, (one) => knownOf(one) !== false);

/** Whether a way is known to work here. */
export const isProven = (isolation: Isolation): boolean => known.get(isolation) === true;

/** Notes that a child began its work behind a fence: the fence stands on this system. */
export const prove = (isolation: Isolation): void => void known.set(isolation, true);

/** The level of isolation that `runLimited` has on this system. */
export const isolationLevel = (): IsolationLevel => isolationOf().level;
