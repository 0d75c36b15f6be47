import { spawnSync } from 'node:child_process';

/**
 * How well a child process is isolated. `namespace`: limits and no network (own user and network namespace). `limits`:
 * memory, processor time, file size and wall-clock time. `timer`: wall-clock time only.
 */
export type IsolationLevel = 'namespace' | 'limits' | 'timer';

interface Tools {
  level: IsolationLevel;
  /** True when the child is killed with its parent even if that is killed with SIGKILL (PR_SET_PDEATHSIG). */
  canDieWithParent: boolean;
}

let found: Tools | null = null;

const works = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 5000 }).status === 0;

/** What this system offers; determined once per process. */
export function isolationTools(): Tools {
  if (found) return found;
  // Test everything at once first, because most systems support all of it and each test starts a process.
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

/** The level of isolation that `runLimited` has on this system. */
export function isolationLevel(): IsolationLevel {
  return isolationTools().level;
}
