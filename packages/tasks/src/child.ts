/**
 * The program of the child process for all tasks but the quick ones (`quick-child.ts`). It imports only the task that is
 * requested, for a short start time.
 */
import { loadMupdf } from '@pdf2press/pdf/mupdf';
import type { QuickTask } from './quick-tasks.ts';
import { serveTasks, type TaskModules } from './serve-tasks.ts';
import type { TaskName } from './table.ts';

/** MuPDF is compiled in other threads, so it is begun before the modules of a task. */
const withMupdf =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    const [, loaded] = await Promise.all([loadMupdf(), load()]);
    return loaded;
  };

const tasks: TaskModules<Exclude<TaskName, QuickTask>> = {
  attachment: withMupdf(() => import('./attachment.ts')),
  certificate: withMupdf(() => import('./certificate.ts')),
  // Loads it for the actions that need it.
  fix: () => import('./fix.ts'),
  font: withMupdf(() => import('./font.ts')),
  logo: withMupdf(() => import('./logo.ts')),
  merge: withMupdf(() => import('./merge.ts')),
  notes: withMupdf(() => import('./notes.ts')),
  pictureCopy: withMupdf(() => import('./picture-copy.ts')),
  preflight: withMupdf(() => import('./preflight.ts')),
  plates: withMupdf(() => import('./plates.ts')),
  render: withMupdf(() => import('./render.ts')),
  report: withMupdf(() => import('./report.ts')),
  split: withMupdf(() => import('./split.ts')),
  thumbnails: withMupdf(() => import('./thumbnails.ts')),
  tiles: withMupdf(() => import('./tiles.ts')),
  unlock: withMupdf(() => import('./unlock.ts')),
  unzip: () => import('./unzip.ts'),
};

void serveTasks(tasks);
