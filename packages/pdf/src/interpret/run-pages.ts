/** Runs work on many pages in several threads. The results do not depend on the number of threads. */
import { createRequire } from 'node:module';
import os from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ErrorParams, type FileFault, FileFaultError } from '@pdf2press/contract/faults';
import type { PdfFile } from '../open/pdf-file.ts';

/** A started job. Pages are processed in any order and in any thread. */
export interface PageJob<R> {
  /**
   * Result of one page. It must depend on this page only and must be plain data, because it is sent between threads.
   */
  page: (number: number) => R;
  /** Frees what the job holds in the thread of the caller; worker threads are terminated instead. */
  close?: () => void;
}
/** Starts a job on an open file. */
export type StartPageJob<P, R> = (file: PdfFile, params: P) => PageJob<R>;

/** Input of `runPages`. */
export interface PageWork<P, R> {
  /** Opened and closed by the caller. */
  file: PdfFile;
  password?: string | undefined;
  /** Page numbers from 1; default: all pages. */
  pages?: readonly number[];
  /** The job. Worker threads load it by the path of its module and its export name. */
  job: { start: StartPageJob<P, R>; module: string; name: string };
  params: P;
  /** True when a page is known to take long: workers are started without measuring the first pages. */
  isSlow?: boolean;
  /** Maximum number of threads including the current one. Default: the available parallelism of the machine. */
  threads?: number;
  signal?: AbortSignal | undefined;
  /** Number of pages a thread takes at a time. Default 8, a compromise between even load and few messages. */
  pagesAtOnce?: number;
}

/** The result of one page. */
export interface PageOutcome<R> {
  page: number;
  result: R;
}

/** Data that a worker thread receives at its start. */
export interface WorkerOrder {
  path: string;
  password: string | undefined;
  budgets: PdfFile['budgets'];
  job: { module: string; name: string };
  params: unknown;
}
/** Message of a worker for each page. */
export type WorkerAnswer =
  | { page: number; result: unknown }
  | { page: number; error: { code: FileFault; params: ErrorParams } };

/** Approximate start-up time of a thread; a further thread must save more than this. */
const worthThreadMs = 300;

type Settled<R> = { result: R } | { error: unknown };

/**
 * Runs a job on pages and yields the results in page order. The time of the first pages decides whether further threads
 * are started.
 * @throws the error of the first page that failed, or the reason of the abort signal
 */
export async function* runPages<P, R>(work: PageWork<P, R>): AsyncGenerator<PageOutcome<R>> {
  const pages = work.pages ?? work.file.pages.map((page) => page.number);
  const settled = new Map<number, Settled<R>>();
  const waiting: { wake: () => void } = { wake: () => undefined };
  let next = 0;
  const { pagesAtOnce = 8, threads = os.availableParallelism() } = work;
  const take = (): readonly number[] => {
    const chunk = pages.slice(next, next + pagesAtOnce);
    next += chunk.length;
    return chunk;
  };
  /** So many pages are left that one of them may wait in a thread: the other threads will not be idle before it is done. */
  const isFarFromEnd = (): boolean => pages.length - next > threads * pagesAtOnce;
  const settle = (page: number, outcome: Settled<R>): void => {
    settled.set(page, outcome);
    waiting.wake();
  };
  const local = work.job.start(work.file, work.params);
  const workers: Worker[] = [];
  const started = performance.now();

  const doHere = async (): Promise<void> => {
    while (next < pages.length && !work.signal?.aborted) {
      for (const page of take())
        settle(
          page,
          attempt(() => local.page(page)),
        );
      if (workers.length === 0) hire();
      // Lets messages of other threads in, and the caller process finished results.
      await setImmediate();
    }
  };
  const hire = (): void => {
    const perPage = next === 0 ? worthThreadMs : (performance.now() - started) / next;
    const remaining = pages.length - next;
    const wanted = Math.min(threads, 1 + Math.floor((perPage * remaining) / worthThreadMs));
    while (workers.length < wanted - 1) workers.push(startWorker(work, { take, isFarFromEnd }, settle));
  };
  const onAbort = (): void => waiting.wake();
  work.signal?.addEventListener('abort', onAbort);
  if (work.isSlow) hire();
  const here = doHere();
  try {
    for (const page of pages) {
      while (!settled.has(page)) {
        work.signal?.throwIfAborted();
        await new Promise<void>((resolve) => {
          waiting.wake = resolve;
          // Also resolves when the result came before the wait began.
          if (settled.has(page) || work.signal?.aborted) resolve();
        });
      }
      const outcome = settled.get(page);
      settled.delete(page);
      if (!outcome) continue;
      if ('error' in outcome) throw outcome.error;
      yield { page, result: outcome.result };
    }
  } finally {
    work.signal?.removeEventListener('abort', onAbort);
    next = pages.length;
    await Promise.all([here, ...workers.map((worker) => worker.terminate())]);
    local.close?.();
  }
}

function attempt<R>(work: () => R): Settled<R> {
  try {
    return { result: work() };
  } catch (error) {
    return { error };
  }
}

function startWorker<P, R>(
  work: PageWork<P, R>,
  { take, isFarFromEnd }: { take: () => readonly number[]; isFarFromEnd: () => boolean },
  settle: (page: number, outcome: Settled<R>) => void,
): Worker {
  const order: WorkerOrder = {
    path: work.file.path,
    password: work.password,
    budgets: work.file.budgets,
    job: { module: work.job.module, name: work.job.name },
    params: work.params,
  };
  const worker = new Worker(createRequire(import.meta.url).resolve('@pdf2press/pdf/page-worker'), {
    workerData: order,
  });
  const open = new Set<number>();
  const give = (): void => {
    const chunk = take();
    for (const page of chunk) open.add(page);
    worker.postMessage(chunk);
  };
  // This thread answers only between its own pages. A worker with nothing more to do would wait for that.
  const giveAhead = (): void => {
    if (open.size === 0) give();
    if (open.size <= (work.pagesAtOnce ?? 8) && isFarFromEnd()) give();
  };
  worker.on('message', (answer: WorkerAnswer) => {
    open.delete(answer.page);
    settle(
      answer.page,
      'error' in answer
        ? { error: new FileFaultError(answer.error.code, answer.error.params) }
        : { result: answer.result as R },
    );
    giveAhead();
  });
  worker.on('error', (error: Error & { code?: string }) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    for (const page of open) settle(page, { error: isMemory ? new FileFaultError('PDF_MEMORY') : error });
  });
  giveAhead();
  return worker;
}
