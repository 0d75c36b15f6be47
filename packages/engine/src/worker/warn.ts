import type { EngineDeps } from '../deps.ts';
import { isUnanswered } from '../postgres/postgres-errors.ts';

/**
 * Makes a handler that logs an error under an event name: as a warning while the database does not answer, else as an
 * error.
 */
export const warnOf =
  (deps: EngineDeps) =>
  (event: string) =>
  (error: unknown): void =>
    deps.log?.({ level: isUnanswered(error) ? 'warn' : 'error', event, error });
