import { createReadStream } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import type { StepContext, StepResult } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { untilAnswered } from '../postgres/postgres-errors.ts';
import { storable } from '../postgres/storable.ts';
import type { Timing } from '../timing.ts';
import { traced } from '../tracing.ts';
import { resultInPlace } from './as-tried.ts';
import { type BegunStep, beginStep } from './begin-step.ts';
import type { ClaimedStep } from './claim-step.ts';
import { findMade, readFiles } from './read-files.ts';
import { readMade, readMadeBefore } from './read-made.ts';
import { failureOf, recordFailure } from './record-failure.ts';
import { hasCommitted, LostStepError, recordResult, type StoredFile } from './record-result.ts';
import { readAround } from './session-around.ts';
import { noteFontsUsed, withFonts } from './step-fonts.ts';
import { takeCounters } from './take-counters.ts';

export interface Progress {
  phase: string;
  done: number;
  total: number;
}

/** How steps are carried out; the worker app binds it to the runners and their child processes. */
export type ExecuteStep = (
  context: StepContext,
  options: { isHeavy: boolean; onProgress: (progress: Progress) => void },
) => Promise<StepResult>;

export interface RunOptions {
  execute: ExecuteStep;
  /**
   * Parent of the work directories; each attempt gets its own, so an attempt that should have ended cannot write into a
   * later one's.
   */
  workFolder: string;
  engineVersion: string;
  timing: Timing;
  /** Aborted when this worker no longer holds the step. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Copies the files that a step made into the store. A path that leads out of the work directory is a fault of the step. */
async function storeFiles<F extends { path: string }>(
  deps: EngineDeps,
  subscriberId: string,
  workDir: string,
  files: readonly F[],
): Promise<{ id: string; file: F; sha256: string; size: number }[]> {
  const root = await realpath(workDir);
  const stored = [];
  for (const file of files) {
    const at = await realpath(path.join(root, file.path));
    if (!at.startsWith(root + path.sep)) throw new FileFaultError('INTERNAL', { file: file.path });
    const { sha256, size } = await deps.storage.put({
      subscriberId,
      bytes: createReadStream(at, { highWaterMark: 1024 * 1024 }),
    });
    stored.push({ id: newId('file'), file, sha256, size });
  }
  return stored;
}

/** The step's file under its new name: another row for the same bytes. */
function renamedFile({ context: { file } }: BegunStep, { renamedTo }: StepResult): StoredFile[] {
  if (renamedTo === undefined) return [];
  const row = { kind: 'ProductionFile', path: '', name: renamedTo, mediaType: file.mediaType } as const;
  return [{ id: newId('file'), file: row, sha256: file.sha256, size: file.size }];
}

async function attempt(deps: EngineDeps, step: ClaimedStep, options: RunOptions): Promise<void> {
  const begun = await untilAnswered(() => beginStep(deps, step), options.signal);
  if (!begun) throw new LostStepError();
  const span = {
    name: `step ${step.kind}`,
    kind: 'consumer',
    parent: begun.trace,
    attributes: {
      'pdf2press.subscriber': step.subscriberId,
      'pdf2press.session': step.sessionId,
      'pdf2press.step': step.id,
      'pdf2press.attempt': step.attempt,
    },
  } as const;
  await traced(
    span,
    () => carryOut(deps, step, begun, options),
    (failure) => ({ 'pdf2press.failure': failure }),
  );
}

/** Does the step and records its end. Resolves to the code of its failure; undefined where it did not fail. */
async function carryOut(
  deps: EngineDeps,
  step: ClaimedStep,
  begun: BegunStep,
  options: RunOptions,
): Promise<string | undefined> {
  const { execute, timing, signal, engineVersion } = options;
  failpoint('whileRunning');
  const workDir = path.join(options.workFolder, `${step.id}-${step.epoch}`);
  await mkdir(workDir, { recursive: true });
  try {
    const blob = { subscriberId: step.subscriberId, sha256: begun.context.file.sha256 };
    const untried = begun.isTrial ? resultInPlace(step, begun.version.answers) : undefined;
    const result = storable(
      untried ??
        (await deps.storage.withLocalPath(blob, (local) =>
          execute(
            {
              ...begun.context,
              file: { ...begun.context.file, path: local },
              workDir,
              signal,
              readMade: (role) => untilAnswered(() => readMade(deps, step, role), signal),
              readMadeBefore: (role) => untilAnswered(() => readMadeBefore(deps, step, role), signal),
              readAround: () => untilAnswered(() => readAround(deps, step), signal),
              readFiles: () => untilAnswered(() => readFiles(deps, step), signal),
              findMade: (role) => untilAnswered(() => findMade(deps, step, role), signal),
              withFonts: (names, work) => withFonts(deps, step.subscriberId, names, work),
              noteFontsUsed: (ids) => untilAnswered(() => noteFontsUsed(deps, step.subscriberId, ids), signal),
              takeCounters: (kinds) => {
                const { workflow, reader } = begun.context;
                const counted = { ...step, workflowId: workflow.id };
                return untilAnswered(() => takeCounters(deps, counted, kinds, reader), signal);
              },
            },
            { isHeavy: step.isHeavy, onProgress: options.onProgress },
          ),
        )),
    );
    signal.throwIfAborted();
    const stored = [
      ...(await storeFiles(deps, step.subscriberId, workDir, result.files ?? [])),
      ...renamedFile(begun, result),
    ];
    const divided = result.end === 'session' && !begun.isTrial ? (result.parts ?? []) : [];
    const parts = await storeFiles(deps, step.subscriberId, workDir, divided);
    failpoint('beforeCommit');
    await untilAnswered(async (isRetry) => {
      // The commit may have succeeded and only its answer been lost.
      if (isRetry && (await hasCommitted(deps, step))) return;
      await recordResult(deps, { step, begun, result, stored, parts, engineVersion });
      failpoint('answerToCommit');
    }, signal);
    failpoint('afterCommit');
    return undefined;
  } catch (error) {
    if (error instanceof LostStepError || signal.aborted) throw error;
    deps.log?.({
      level: 'warn',
      event: 'step.failed',
      data: { step: step.id, kind: step.kind, attempt: step.attempt },
      error,
    });
    const failure = failureOf(error);
    await untilAnswered(async (isRetry) => {
      if (isRetry && (await hasCommitted(deps, step))) return;
      await recordFailure(deps, step, failure, timing);
    }, signal);
    return failure.code;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Runs one claimed step to its end. Never throws because of a file; resolves to whether this attempt's end was recorded. */
export async function runStep(deps: EngineDeps, step: ClaimedStep, options: RunOptions): Promise<boolean> {
  failpoint('afterClaim');
  try {
    await attempt(deps, step, options);
    return true;
  } catch (error) {
    if (error instanceof LostStepError || options.signal.aborted) {
      deps.log?.({ level: 'info', event: 'step.lost', data: { step: step.id, epoch: step.epoch } });
    } else {
      // Nothing could be written: the lease runs out and the step runs again.
      deps.log?.({ level: 'error', event: 'step.unrecorded', data: { step: step.id, epoch: step.epoch }, error });
    }
    return false;
  }
}
