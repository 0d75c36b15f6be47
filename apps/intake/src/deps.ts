import type { EngineDeps } from '@pdf2press/engine';
import type { Env } from '@pdf2press/engine/env';
import type { InstanceKeys } from '@pdf2press/engine/secrets';
import type { Database } from '@pdf2press/prisma';
import type { PolledSource } from '@pdf2press/sources/runners';
import type { Logger } from 'pino';

export interface IntakeDeps {
  env: Env;
  db: Database;
  engine: EngineDeps;
  keys: InstanceKeys;
  log: Logger;
  /** The kinds of source that can be polled, by name. */
  sources: ReadonlyMap<string, PolledSource>;
  timing: IntakeTiming;
}

/** In milliseconds, except `slots` and `watches`. */
export interface IntakeTiming {
  /** How long an inlet stays leased to a process that does not renew the lease. */
  lease: number;
  /** A third of a lease or less, so that one failed renewal loses nothing. */
  heartbeat: number;
  /** Polls that run at the same time in this process. */
  slots: number;
  /** Sources that are watched between their polls at the same time in this process; a connection each. */
  watches: number;
  /** A poll that keeps finding files ends between two files after this time, so that others can run. */
  turn: number;
  /** A poll is aborted after this time, however slowly the bytes arrive. */
  longest: number;
  /** How long the files being taken may take to finish when the process is told to stop. */
  grace: number;
}

export const defaultTiming: IntakeTiming = {
  lease: 30_000,
  heartbeat: 10_000,
  slots: 32,
  watches: 500,
  turn: 60_000,
  longest: 3_600_000,
  grace: 25_000,
};
