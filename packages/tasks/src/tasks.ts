/** Runs work on PDFs in child processes, for the worker and the command line. Importing it loads no PDF engine. */
import { defaultLimits, type Limits, runLimited } from '@pdf2press/pdf/limited';
import { childEntry } from './child-entry.ts';
import { fontLimits } from './font-file.ts';
import { logoLimits } from './logo-file.ts';
import type { TaskName, TaskTable } from './table.ts';
import type { TaskProgress } from './task.ts';
import { filesOf } from './task-files.ts';
import { unlockLimits } from './unlock-file.ts';

export { fixNames } from '@pdf2press/fix/names';
export type { FixParams } from './fix.ts';
export type { ImposeOutput, ImposeParams, ImposeResult } from './impose.ts';
export type { MergeResult } from './merge.ts';
export type { InkReport, PlatesParams, PlatesResult } from './plates.ts';
export type { PreflightParams } from './preflight.ts';
export type { SplitWay } from './split.ts';
export type { TaskName, TaskTable } from './table.ts';
export type { PdfInput, TaskProgress } from './task.ts';

export interface TaskOptions {
  /** Existing directory for the files of the task; the caller removes it. */
  workDir: string;
  signal?: AbortSignal;
  /** Normal instead of low process priority, for a command whose user is waiting. */
  isUrgent?: boolean;
  limits?: Partial<Limits>;
  /** Multiplies the time limits, for slow machines. */
  timeFactor?: number;
  onProgress?: (progress: TaskProgress) => void;
}

/** Limits that differ from the defaults. */
const taskLimits: { readonly [K in TaskName]: Partial<Limits> } = {
  attachment: { wallMs: 55_000 },
  certificate: { fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
  // Every action can write the whole file again, and the comparison before delivery writes plates to disk.
  fix: { wallMs: 900_000, cpuSeconds: 1800, fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  font: fontLimits,
  // The output is as large as all inputs together.
  impose: { wallMs: 900_000, cpuSeconds: 900, fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  inspect: { wallMs: 55_000 },
  logo: logoLimits,
  // The output is as large as all inputs together.
  merge: { wallMs: 600_000, cpuSeconds: 900, fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  // A copy of the whole file.
  notes: { fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  // Some hundred pages, one after the other.
  pictureCopy: { wallMs: 1_800_000, cpuSeconds: 3600, fileBytes: 2 ** 32, workDirBytes: 2 ** 33 },
  // Plates are written to disk: up to 100 megapixels in a dozen inks.
  plates: { wallMs: 55_000, fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
  preflight: { wallMs: 600_000, cpuSeconds: 1200, fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
  render: { wallMs: 55_000 },
  // All parts together are larger than the file, since each has its own copy of what pages share.
  split: { wallMs: 600_000, cpuSeconds: 900, fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  thumbnails: {},
  report: { fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  tiles: { fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
  unlock: unlockLimits,
  unzip: { wallMs: 300_000, cpuSeconds: 300, memoryBytes: 2 ** 29, fileBytes: 2 ** 32, workDirBytes: 2 ** 33 },
};

/**
 * Runs one task in a child process with limits of time, memory and disk space.
 * @throws FileFaultError with a code of `fileFaults` (packages/contract), PDF_TIMEOUT, PDF_MEMORY or PDF_CRASH if the child
 *   exceeds a limit or ends unexpectedly; the reason of the signal when it is aborted
 */
export async function runTask<K extends TaskName>(
  task: K,
  params: TaskTable[K]['params'],
  options: TaskOptions,
): Promise<TaskTable[K]['result']> {
  const limits = { ...defaultLimits, ...taskLimits[task], ...options.limits };
  const { timeFactor = 1 } = options;
  const time = { wallMs: limits.wallMs * timeFactor, cpuSeconds: Math.ceil(limits.cpuSeconds * timeFactor) };
  const answer = await runLimited({
    entry: childEntry(task),
    request: { task, params },
    name: task,
    workDir: options.workDir,
    ...filesOf(task, params),
    isUrgent: options.isUrgent ?? false,
    limits: { ...limits, ...time },
    ...(options.signal && { signal: options.signal }),
    onProgress: (progress) => options.onProgress?.(progress as TaskProgress),
  });
  // The child is of the same build, so its result has the type of the table.
  return answer as TaskTable[K]['result'];
}
