import { SourceFaultError } from '@pdf2press/contract';
import type { SourceItem } from '@pdf2press/sources/contracts';

/** Waits for one answer of a source: until it arrives, the poll is aborted, or the source's time limit is over. */
export type Ask = <T>(answer: Promise<T>, until?: AbortSignal) => Promise<T>;

/**
 * Makes the function that waits for a source. An answer that takes longer than `limitMs` milliseconds aborts the poll with
 * `source.timedOut`; the source need not react to the signal, because nothing waits for it any more. Time spent in this
 * process does not count.
 */
export function createAsk(poll: AbortController, limitMs: number): Ask {
  const timedOut = () => poll.abort(new SourceFaultError('source.timedOut', { seconds: limitMs / 1000 }));
  return (answer, until = poll.signal) =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        until.removeEventListener('abort', refuse);
      };
      const refuse = () => {
        end();
        reject(until.reason);
      };
      const timer = setTimeout(timedOut, limitMs);
      answer.then(resolve, reject).finally(end);
      if (until.aborted) refuse();
      else until.addEventListener('abort', refuse);
    });
}

/**
 * Tells an iterator that it is no longer read. Not awaited and its result ignored, because a source that hangs never
 * returns one.
 */
export function abandon(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => undefined);
}

async function* readPieces(bytes: AsyncIterable<Uint8Array>, ask: Ask): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await ask(pieces.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    abandon(pieces);
  }
}

/** The same item, with a time limit on every answer. */
export const askedItem = (item: SourceItem, ask: Ask): SourceItem => ({
  ...item,
  open: () => readPieces(item.open(), ask),
  settle: (outcome, reason) => ask(item.settle(outcome, reason)),
});
