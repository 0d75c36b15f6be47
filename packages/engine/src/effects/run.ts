import type { Transaction } from '@pdf2press/prisma';
import type { EffectKind, PayloadOf } from './catalogue.ts';

/** An effect that this worker holds; `epoch` keeps this worker from writing its end after another one took over. */
export interface ClaimedEffect<Kind extends EffectKind = EffectKind> {
  id: string;
  subscriberId: string;
  sessionId: string | null;
  /** The step that waits for it. */
  stepRunId: string | null;
  key: string;
  kind: Kind;
  payload: PayloadOf<Kind>;
  attempt: number;
  epoch: number;
  /** Earlier tries whose outcome is not known. */
  unknownCount: number;
  /** What an earlier try has kept with `keepProgress`. */
  progress: unknown;
  /** The trace that it was recorded in. */
  trace: string | null;
  /** Milliseconds since it was recorded. */
  age: number;
}

export interface EffectDone {
  /** The other side's id for the result. */
  remoteRef?: string;
  /** Kept for the step that waits for the effect. */
  answer?: unknown;
  /** Runs in the transaction that marks the effect as done. */
  commit?: (tx: Transaction) => Promise<void>;
}

/** How a kind of effect is carried out. */
export interface EffectRun<Kind extends EffectKind> {
  /**
   * One try. The signal is aborted when the lease ends or the worker stops.
   * @throws EffectError when it is known that another try is useless, or that the outcome is unknown
   */
  run(effect: ClaimedEffect<Kind>, signal: AbortSignal): Promise<EffectDone>;
  /**
   * Runs in the transaction that gives the effect up; resolves to the parameters of its message, or to undefined when
   * nobody needs to be notified.
   */
  onDead?(tx: Transaction, effect: ClaimedEffect<Kind>): Promise<Record<string, string> | undefined>;
}

/** A run for every kind; a missing one does not compile. */
export type EffectRuns = { readonly [Kind in EffectKind]: EffectRun<Kind> };

/** A failed try, with what the run knows about it. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
  /** Another try is useless. */
  readonly isFinal: boolean;
  /** It may have succeeded. */
  readonly isUnknown: boolean;
  /** What the step that waits for the effect is told when this was the last try. */
  readonly answer: unknown;
  constructor(message: string, about: { isFinal?: boolean; isUnknown?: boolean; answer?: unknown; cause?: unknown }) {
    super(message, { cause: about.cause });
    this.isFinal = about.isFinal ?? false;
    this.isUnknown = about.isUnknown ?? false;
    this.answer = about.answer;
  }
}
