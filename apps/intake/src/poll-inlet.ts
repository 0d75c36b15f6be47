import { SourceFaultError } from '@pdf2press/contract';
import { askedItems, type ClaimedInlet, LostInletError, moveCursor, type PollEnd } from '@pdf2press/engine';
import type { SourceTools } from '@pdf2press/sources/contracts';
import type { Logger } from 'pino';
import { createAnswers } from './answers.ts';
import { type Ask, abandon, askedItem, createAsk } from './ask-source.ts';
import type { IntakeDeps } from './deps.ts';
import type { EndPoll } from './end-together.ts';
import { errorWithout } from './hide-secrets.ts';
import type { Inlet } from './inlets.ts';
import { openSource } from './open-source.ts';
import { takeItem } from './take-item.ts';

/** One poll of a claimed inlet. */
export interface Poll {
  inlet: Inlet;
  claim: ClaimedInlet;
  memory: SourceTools['memory'];
  /** Aborted when the process is told to stop: the file being taken may finish. */
  stopping: AbortSignal;
  /** Aborted with a LostInletError when the inlet belongs to another process. */
  lost: AbortSignal;
  endPoll: EndPoll;
}

const defaultLimitSeconds = 60;

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT']);
const denied = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The fault that people are shown for an error of a source. */
function faultOf(error: unknown): SourceFaultError {
  if (error instanceof SourceFaultError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (unreachable.has(code)) return new SourceFaultError('source.unreachable');
  return new SourceFaultError(denied.has(code) ? 'source.denied' : 'source.failed');
}

interface Running extends Poll {
  deps: IntakeDeps;
  log: Logger;
  ask: Ask;
  controller: AbortController;
}

/**
 * Takes the files of the source. The cursor moves to an item when that item and all before it are committed and settled:
 * after a crash at any point the rest is found again, and files taken before are recognised by their external id.
 */
async function takeAll(running: Running): Promise<void> {
  const { deps, inlet, claim, memory, stopping, controller, ask } = running;
  const { signal } = controller;
  // Before the settings: whoever changes them and then asks for a file is answered by a poll that knows the change.
  const asked = await askedItems(deps.engine, { subscriberId: inlet.subscriberId }, inlet.kind);
  const opened = await openSource(deps, inlet, memory);
  const log = running.log.child({}, { serializers: { err: errorWithout(opened.connection?.secret) } });
  running.log = log;
  const tools = {
    ...opened.tools,
    asked: async (prefix: string) => new Map([...asked].filter(([key]) => key.startsWith(prefix))),
  };
  const input = { ...opened, tools, cursor: claim.cursor ?? undefined, signal };
  const items = inlet.source.poll(input);
  const ends = performance.now() + deps.timing.turn;
  const noteOutcome = createAnswers(deps, inlet);
  let isHeld = false;
  const advance = async (cursor: unknown) => {
    if (!isHeld && cursor !== undefined) await moveCursor(deps.engine, claim, cursor);
  };
  try {
    while (performance.now() < ends) {
      const next = await ask(items.next(), AbortSignal.any([signal, stopping]));
      if (next.done) return await advance(next.value);
      try {
        const isDone = await takeItem({ ...deps, log }, inlet, askedItem(next.value, ask), { signal, noteOutcome });
        isHeld ||= !isDone;
      } catch (error) {
        if (signal.aborted) throw error;
        // One file does not delay the others; it is found again, because the cursor stays before it.
        log.error({ err: error, item: next.value.externalId }, 'intake.item');
        isHeld = true;
      }
      await advance(next.value.cursorAfter);
    }
  } finally {
    abandon(items);
  }
}

async function outcomeOf(running: Running): Promise<PollEnd> {
  const { deps, inlet, stopping, controller } = running;
  const began = performance.now();
  try {
    await takeAll(running);
    // A little less than the period, so that the inlet is due in the round after the next period.
    const { pollSeconds, remotePollSeconds } = deps.env;
    const period = (inlet.source.contract.isRemote ? remotePollSeconds : pollSeconds) * 1000 * 0.8;
    return { end: 'ok', dueInMs: Math.max(0, period - (performance.now() - began)) };
  } catch (error) {
    const cause = controller.signal.aborted ? controller.signal.reason : error;
    if (cause instanceof LostInletError) throw cause;
    if (stopping.aborted && !(cause instanceof SourceFaultError)) return { end: 'stopped' };
    const { code, params } = faultOf(cause);
    running.log.warn({ err: cause, code }, 'intake.pollFailed');
    const waitMs = code === 'source.busy' ? Number(params.seconds) * 1000 : 0;
    return { end: 'failed', code, params, waitMs };
  }
}

/**
 * Polls a claimed inlet once and gives it back. Never throws: a failure is stored in the inlet's row or logged.
 * @returns whether the poll went well
 */
export async function pollInlet(deps: IntakeDeps, poll: Poll): Promise<boolean> {
  const { inlet, claim, stopping, lost, endPoll } = poll;
  const controller = new AbortController();
  const limitMs = (inlet.source.contract.limitSeconds ?? defaultLimitSeconds) * 1000;
  const log = deps.log.child({ inlet: inlet.id, kind: inlet.kind }, { serializers: { err: errorWithout(undefined) } });
  const running: Running = { ...poll, deps, log, controller, ask: createAsk(controller, limitMs) };
  const abort = (reason: unknown) => controller.abort(reason);
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, reason: () => unknown) => timers.push(setTimeout(() => abort(reason()), ms));
  const { longest, grace } = deps.timing;
  after(longest, () => new SourceFaultError('source.timedOut', { seconds: longest / 1000 }));
  const onStop = () => after(grace, () => stopping.reason);
  const onLost = () => abort(lost.reason);
  stopping.addEventListener('abort', onStop);
  lost.addEventListener('abort', onLost);
  try {
    const outcome = await outcomeOf(running);
    await endPoll(claim, outcome);
    return outcome.end === 'ok';
  } catch (error) {
    if (error instanceof LostInletError) log.warn('intake.inletLost');
    // The lease runs out by itself.
    else log.error({ err: error }, 'intake.endPoll');
    return false;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    stopping.removeEventListener('abort', onStop);
    lost.removeEventListener('abort', onLost);
    // Ends whatever the source still does for this poll.
    controller.abort();
  }
}
