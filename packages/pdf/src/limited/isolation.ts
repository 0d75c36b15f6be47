import { spawnSync } from 'node:child_process';

/**
 * How well a child is shut in. `namespace`: limits, and no network (own user and network namespace).
 * `limits`: memory, processor, file size and wall clock. `timer`: wall clock only.
 */
export type IsolationLevel = 'namespace' | 'limits' | 'timer';

interface Tools {
  level: IsolationLevel;
  /** The child dies with its parent even when that is killed outright (PR_SET_PDEATHSIG). */
  canDieWithParent: boolean;
}

let found: Tools | null = null;

const works = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 5000 }).status === 0;

/** What this system offers; tried out once per process. */
export function isolationTools(): Tools {
  if (found) return found;
  // All at once first: most systems have everything, and a short command should not begin with three others.
  if (
    process.platform === 'linux' &&
    works('prlimit', ['--core=0', 'unshare', '-rn', 'setpriv', '--pdeathsig', 'KILL', 'true'])
  ) {
    found = { level: 'namespace', canDieWithParent: true };
    return found;
  }
  const hasLimits = process.platform === 'linux' && works('prlimit', ['--core=0', 'true']);
  const hasNamespaces = hasLimits && works('unshare', ['-rn', 'true']);
  found = {
    level: hasNamespaces ? 'namespace' : hasLimits ? 'limits' : 'timer',
    canDieWithParent: process.platform === 'linux' && works('setpriv', ['--pdeathsig', 'KILL', 'true']),
  };
  return found;
}

/** The level that `runLimited` works at on this system; readiness reports it. */
export function isolationLevel(): IsolationLevel {
  return isolationTools().level;
}
