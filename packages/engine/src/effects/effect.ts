import type { Locale, Permission } from '@pdf2press/contract';
import type { z } from 'zod';

/** What people are told when an effect is given up; `{name}` placeholders are filled with its parameters. */
export interface EffectWords {
  /** What could not be done. */
  title: string;
  /** What a person can do about it. */
  whatToDo: string;
}

/** What the outbox knows about a kind of effect; how it is carried out is in its `run.ts`. */
export interface EffectContract<Kind extends string, Payload extends object> {
  kind: Kind;
  /** Checked when the effect is recorded and again when it is carried out. */
  payload: z.ZodType<Payload>;
  /** A try must end within this many milliseconds; afterwards another worker may try. */
  leaseMs: number;
  /** The lease is renewed as long as the try goes on, so that one that takes long needs no long lease. */
  isRenewed?: true;
  /**
   * How many are carried out at a time of one subscriber, over all workers: in one lane (a host, for example) and in all. More
   * of them wait. Without limits only the worker's own count holds.
   */
  limits?: { laneOf(payload: Payload): string; perLane: number; perSubscriber: number };
  /** After failing for this many milliseconds the effect is given up. */
  patienceMs: number;
  /** After this many tries it is given up, too; null or nothing = only by `patienceMs`. */
  maxTries?(payload: Payload): number | null | undefined;
  /** Until when a try that would be made again at a time waits; null = it is made then. */
  heldUntil?(payload: Payload, at: Date): Date | null;
  /**
   * What happens when it is unknown whether a try succeeded, because the worker was lost or the connection broke: `repeat`
   * = doing it twice does no harm; `repeatOnce` = it is tried once more and then given up.
   */
  afterUnknown: 'repeat' | 'repeatOnce';
  /**
   * Whether sessions that are trials have it, too: work of the house for whoever looks at them. Of all other kinds a trial
   * records nothing.
   */
  isForTrials?: true;
  /** Who is notified when it is given up: everyone with this permission. None = the person who asked for it sees it. */
  tells?: Permission;
  words: Readonly<Record<Locale, EffectWords>>;
}

/** Declares a kind of effect; keeps the literal type of its kind and the type of its payload. */
export const defineEffect = <const Kind extends string, Payload extends object>(
  contract: EffectContract<Kind, Payload>,
): EffectContract<Kind, Payload> => contract;
