/** Work on many pages, spread over threads. What comes out does not depend on how many threads there are. */
import { createRequire } from 'node:module';
import os from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ErrorParams, type FileFault, FileFaultError } from '@pdf2press/contract/faults';
import type { PdfFile } from '../open/pdf-file.ts';

/** What a job module's function returns: called for one page at a time, in any order, in any thread. */
export interface PageJob<R> {
  /** Must depend on the page alone. The result crosses threads: plain data. */
  page: (number: number) => R;
  /** Frees what the job holds in the caller's thread; other threads end. */
  close?: () => void;
}
export type StartPageJob<P, R> = (file: PdfFile, params: P) => PageJob<R>;

export interface PageWork<P, R> {
  /** Opened by the caller, who closes it. */
  file: PdfFile;
  password?: string | undefined;
  /** From 1; all pages when left out. */
  pages?: readonly number[];
  /** What is done on a page; other threads load it by its file (a resolved door) and the name it is exported by. */
  job: { start: StartPageJob<P, R>; module: string; name: string };
  params: P;
  /** A page is known to take long: other threads need not wait for the first to show it. */
  isSlow?: boolean;
  /** At most so many threads, this one included. Default: as many as the machine runs at once. */
  threads?: number;
  signal?: AbortSignal | undefined;
  /** Pages a thread takes at a time. Default 8: few enough to end together, many enough to spare messages. */
  pagesAtOnce?: number;
}

export interface PageOutcome<R> {
  page: number;
  result: R;
}

/** What a worker thread is told at its start. */
export interface WorkerOrder {
  path: string;
  password: string | undefined;
  budgets: PdfFile['budgets'];
  job: { module: string; name: string };
  params: unknown;
}
/** What it says for each page. */
export type WorkerAnswer =
  | { page: number; result: unknown }
  | { page: number; error: { code: FileFault; params: ErrorParams } };

/** A thread costs about this long to start; it must save more. */
const worthThreadMs = 300;

type Settled<R> = { result: R } | { error: unknown };

/**
 * Runs a job on pages and gives the results in page order. The first pages show how long the rest will take: only where
 * it is worth it, more threads with an engine of their own join in.
 * @throws what the job threw on the first page that failed; the signal's reason
 */
export async function* runPages<P, R>(work: PageWork<P, R>): AsyncGenerator<PageOutcome<R>> {
  const pages = work.pages ?? work.file.pages.map((page) => page.number);
  const settled = new Map<number, Settled<R>>();
  const waiting: { wake: () => void } = { wake: () => undefined };
  let next = 0;
  const take = (): readonly number[] => {
    const chunk = pages.slice(next, next + (work.pagesAtOnce ?? 8));
    next += chunk.length;
    return chunk;
  };
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
      // Lets the other threads' answers in, and the caller work on what is there.
      await setImmediate();
    }
  };
  const hire = (): void => {
    const perPage = next === 0 ? worthThreadMs : (performance.now() - started) / next;
    const remaining = pages.length - next;
    const wanted = Math.min(
      work.threads ?? os.availableParallelism(),
      1 + Math.floor((perPage * remaining) / worthThreadMs),
    );
    while (workers.length < wanted - 1) workers.push(startWorker(work, take, settle));
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
          // Also woken when this thread has nothing left and an answer came before the wait began.
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
  take: () => readonly number[],
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
  let open = new Set<number>();
  const give = (): void => {
    const chunk = take();
    open = new Set(chunk);
    worker.postMessage(chunk);
  };
  worker.on('message', (answer: WorkerAnswer) => {
    open.delete(answer.page);
    settle(
      answer.page,
      'error' in answer
        ? { error: new FileFaultError(answer.error.code, answer.error.params) }
        : { result: answer.result as R },
    );
    if (open.size === 0) give();
  });
  worker.on('error', (error: Error & { code?: string }) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    for (const page of open) settle(page, { error: isMemory ? new FileFaultError('PDF_MEMORY') : error });
  });
  give();
  return worker;
}
