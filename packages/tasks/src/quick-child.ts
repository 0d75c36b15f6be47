/** The program of the child process for the quick tasks. They load MuPDF for the files that demand it. */
import type { QuickTask } from './quick-tasks.ts';
import { serveTasks } from './serve-tasks.ts';

void serveTasks<QuickTask>({ impose: () => import('./impose.ts'), inspect: () => import('./inspect.ts') });
