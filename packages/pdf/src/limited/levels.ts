/**
 * How well a child process is isolated, from nothing to everything. `timer`: wall-clock time only. `limits`: also memory,
 * processor time and file size. `namespace`: also no network, and no look into other processes. `files`: limits, no look
 * into other processes, and no file but the program's and those of its task; the network can be reached. `walls`: all of it.
 */
export const isolationLevels = ['timer', 'limits', 'namespace', 'files', 'walls'] as const;
export type IsolationLevel = (typeof isolationLevels)[number];

export const isAtLeast = (level: IsolationLevel, needed: IsolationLevel): boolean =>
  isolationLevels.indexOf(level) >= isolationLevels.indexOf(needed);

/** What a child can do in spite of its isolation. */
export type Gap = 'memory' | 'network' | 'processes' | 'files';

const gaps: Record<IsolationLevel, readonly Gap[]> = {
  timer: ['memory', 'network', 'processes', 'files'],
  limits: ['network', 'processes', 'files'],
  namespace: ['files'],
  files: ['network'],
  walls: [],
};

export const gapsOf = (level: IsolationLevel): readonly Gap[] => gaps[level];
