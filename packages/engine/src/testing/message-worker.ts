import { runStep } from '@pdf2press/steps/runners';
import type { EngineDeps } from '../deps.ts';
import { type RunningWorker, startWorker, type WorkerOptions } from '../worker/worker.ts';
import type { Lab } from './lab.ts';

/** A worker in this process whose steps open no PDF, for tests of what is told about sessions: it does these effects. */
export const startMessageWorker = (
  lab: Lab,
  deps: EngineDeps,
  effects: NonNullable<WorkerOptions['effects']>,
): Promise<RunningWorker> =>
  startWorker(deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 1,
    execute: (context) =>
      context.step.kind === 'Inject'
        ? Promise.resolve({ end: 'outcome', outcome: 'done' })
        : runStep(context, { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) }),
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
    effects,
  });
