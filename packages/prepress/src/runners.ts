/** The door for whoever has work on PDFs done: worker and command line. Nothing here loads a PDF engine. */
import { defaultLimits, type Limits, runLimited } from '@pdf2press/pdf/limited';
import { childEntry } from './child-entry.ts';
import type { TaskName, TaskTable } from './tasks/table.ts';
import type { TaskProgress } from './tasks/task.ts';

export { fixNames } from './fixes/runners.ts';
export type { FixParams } from './tasks/fix.ts';
export type { ImposeOutput, ImposeParams, ImposeResult } from './tasks/impose.ts';
export type { InkReport, PlatesParams, PlatesResult } from './tasks/plates.ts';
export type { PreflightParams } from './tasks/preflight.ts';
export type { TaskName, TaskTable } from './tasks/table.ts';
export type { PdfInput, TaskProgress } from './tasks/task.ts';

export interface TaskOptions {
  /** Existing directory for the task's files; the caller removes it. */
  workDir: string;
  signal?: AbortSignal;
  /** A command somebody waits for; work of a server gives way to the server. */
  isUrgent?: boolean;
  limits?: Partial<Limits>;
  /** Multiplies the limits of time, for machines that are slower than others. */
  timeFactor?: number;
  onProgress?: (progress: TaskProgress) => void;
}

/** What a task needs other than the default limits. */
const taskLimits: { readonly [K in TaskName]: Partial<Limits> } = {
  // Every action may write the whole file once more, and plates of its gate lie on disk.
  fix: { wallMs: 900_000, cpuSeconds: 1800, fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  // Output is as large as its input, and several inputs may come together.
  impose: { wallMs: 900_000, cpuSeconds: 900, fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  inspect: { wallMs: 55_000 },
  // Raw plates lie on disk: 100 Mpx in a dozen inks.
  plates: { wallMs: 55_000, fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
  preflight: { wallMs: 600_000, cpuSeconds: 1200, fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
  render: { wallMs: 55_000 },
  thumbnails: {},
  report: { fileBytes: 2 ** 33, workDirBytes: 2 ** 34 },
  tiles: { fileBytes: 2 ** 31, workDirBytes: 2 ** 32 },
};

/**
 * Does one task in a child process with limits.
 * @throws FileFaultError with the codes of `fileFaults`; the signal's reason when aborted.
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
    entry: childEntry(),
    request: { task, params },
    workDir: options.workDir,
    isUrgent: options.isUrgent ?? false,
    limits: { ...limits, ...time },
    ...(options.signal && { signal: options.signal }),
    onProgress: (progress) => options.onProgress?.(progress as TaskProgress),
  });
  // The child is our own program of the same build: its answer has the shape the table promises.
  return answer as TaskTable[K]['result'];
}
