import { inspectPdf } from '@pdf2press/pdf/inspect';
import type { TaskRun } from './task.ts';

export const run: TaskRun<'inspect'> = (params, tools) =>
  inspectPdf({ ...params, onPage: (done, total) => tools.progress({ phase: 'pages', done, total }) });
