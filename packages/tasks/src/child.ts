/** The program of the child process. It imports only the task that is requested, for a short start time. */
import { FileFaultError } from '@pdf2press/contract/faults';
import { loadMupdf } from '@pdf2press/pdf/mupdf';
import { serveLimited } from '@pdf2press/pdf/serve-limited';
import type { TaskName, TaskTable } from './table.ts';
import type { Task, TaskProgress } from './task.ts';

type TaskOf<K extends TaskName> = Task<TaskTable[K]['params'], TaskTable[K]['result']>;

const tasks: { readonly [K in TaskName]: () => Promise<{ run: TaskOf<K> }> } = {
  attachment: () => import('./attachment.ts'),
  certificate: () => import('./certificate.ts'),
  fix: () => import('./fix.ts'),
  font: () => import('./font.ts'),
  impose: () => import('./impose.ts'),
  inspect: () => import('./inspect.ts'),
  logo: () => import('./logo.ts'),
  merge: () => import('./merge.ts'),
  notes: () => import('./notes.ts'),
  pictureCopy: () => import('./picture-copy.ts'),
  preflight: () => import('./preflight.ts'),
  plates: () => import('./plates.ts'),
  render: () => import('./render.ts'),
  report: () => import('./report.ts'),
  split: () => import('./split.ts'),
  thumbnails: () => import('./thumbnails.ts'),
  tiles: () => import('./tiles.ts'),
  unlock: () => import('./unlock.ts'),
  unzip: () => import('./unzip.ts'),
};

/** Tasks that do without MuPDF, or load it for the files that demand it. */
const withoutMupdf: ReadonlySet<TaskName> = new Set<TaskName>(['impose', 'inspect', 'unzip']);

/** MuPDF is compiled in another thread, so it is begun before the modules of the task. These wait for it and tell of its faults. */
function loadMupdfAhead(task: TaskName): void {
  if (!withoutMupdf.has(task)) loadMupdf().catch(() => undefined);
}

await serveLimited(async (request, tools) => {
  const { task, params } = request as { task: string; params: never };
  if (!Object.hasOwn(tasks, task)) throw new FileFaultError('INTERNAL', { task });
  loadMupdfAhead(task as TaskName);
  const { run } = await tasks[task as TaskName]();
  // runTask has typed the parameters by the task.
  return (run as Task<never, unknown>)(params, {
    workDir: process.cwd(),
    progress: (progress: TaskProgress) => tools.progress(progress),
    keep: tools.keep,
  });
});
