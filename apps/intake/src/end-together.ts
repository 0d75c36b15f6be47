import { type ClaimedInlet, endPolls, LostInletError, type PollEnd } from '@pdf2press/engine';
import type { IntakeDeps } from './deps.ts';

/** Gives an inlet back. @throws LostInletError when it belongs to another process by now */
export type EndPoll = (claim: ClaimedInlet, ended: PollEnd) => Promise<void>;

/** Polls that end within this many milliseconds are written together. */
const momentMs = 25;

export function createEndPoll(deps: IntakeDeps): EndPoll {
  let waiting: { claim: ClaimedInlet; ended: PollEnd; resolve: () => void; reject: (error: unknown) => void }[] = [];

  async function write(): Promise<void> {
    const polls = waiting;
    waiting = [];
    try {
      const written = await endPolls(deps.engine, polls);
      for (const { claim, resolve, reject } of polls)
        if (written.has(claim.id)) resolve();
        else reject(new LostInletError());
    } catch (error) {
      for (const { reject } of polls) reject(error);
    }
  }

  return (claim, ended) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(write, momentMs);
      waiting.push({ claim, ended, resolve, reject });
    });
}
