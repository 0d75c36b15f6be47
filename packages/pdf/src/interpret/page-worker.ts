/**
 * Worker thread of `runPages`: opens the file itself and works on the pages it receives. Each thread has its own MuPDF.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { FileFaultError } from '@pdf2press/contract/faults';
import { loadMupdf } from '../open/mupdf.ts';
import { openPdf } from '../open/pdf-file.ts';
import type { PageJob, StartPageJob, WorkerAnswer, WorkerOrder } from './run-pages.ts';

async function serve(): Promise<void> {
  const order = workerData as WorkerOrder;
  const [module] = (await Promise.all([import(pathToFileURL(order.job.module).href), loadMupdf()])) as [
    Record<string, StartPageJob<unknown, unknown>>,
    undefined,
  ];
  const start = module[order.job.name];
  if (!start || !parentPort) throw new FileFaultError('INTERNAL', { job: order.job.name });
  const port = parentPort;
  const file = openPdf({ path: order.path, password: order.password, budgets: order.budgets });
  const job = start(file, order.params);
  port.on('message', (pages: readonly number[]) => {
    for (const page of pages) port.postMessage(answerFor(job, page));
  });
}

function answerFor(job: PageJob<unknown>, page: number): WorkerAnswer {
  try {
    return { page, result: job.page(page) };
  } catch (error) {
    if (error instanceof FileFaultError) return { page, error: { code: error.code, params: error.params } };
    throw error;
  }
}

// What it throws ends the thread, as an error of the whole program does.
void serve();
