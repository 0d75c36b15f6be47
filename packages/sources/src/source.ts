import type { MessageFiles, SessionSource } from '@pdf2press/contract';
import type { z } from 'zod';

/** What a kind of source is. Where files come by themselves is up to the kind: pushed to us, or looked for by a poller. */
export interface SourceContract<
  K extends string = string,
  S extends z.ZodType = z.ZodType,
  P extends boolean = boolean,
> {
  kind: K;
  version: number;
  settings: S;
  /** What the session says about where its file came from (the specification's list). */
  sessionSource: SessionSource;
  /** True = `intake` looks for files; false = somebody brings them. */
  isPolled: P;
  /** `label`, `help`, `settings.<name>`. */
  messages: MessageFiles;
}

export const sourceContract = <const K extends string, S extends z.ZodType, const P extends boolean>(
  contract: SourceContract<K, S, P>,
): SourceContract<K, S, P> => contract;

/** A file that a poller found and nobody has taken yet. */
export interface FoundItem {
  /** Names this content at this place for ever: the same key is taken once, whatever happens in between. */
  key: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Shown as the session's source. */
  sourceName: string;
  variables?: Record<string, string>;
  open(): AsyncIterable<Uint8Array>;
  /** What happens to the original once it is taken, or refused for good; safe to repeat. `reason` is left beside it. */
  settle(outcome: 'accepted' | 'rejected', reason?: string): Promise<void>;
}

/** Looks once and yields what is there to be taken. What it remembers from look to look may be lost. */
export type Poller<S> = (settings: S, tools: PollTools) => AsyncIterable<FoundItem>;

export interface PollTools {
  /** Folders may only lie below this one. */
  root: string;
  /** Kept from look to look for one source. */
  memory: Map<string, unknown>;
  /** Milliseconds of a clock that never jumps. */
  now: () => number;
}
