/** How often the lag of the event loop is looked at, in milliseconds. */
export const sampleInterval = 1000;

/** When the event loop lags, callers that are not signed in are refused; at this many times the lag, everybody is. */
const overwhelmed = 5;

/**
 * Tells whether a request is refused because the event loop lags.
 * @param lag mean lag since it was looked at last, in milliseconds; Infinity when nothing was measured, which
 * `@fastify/under-pressure` says when the loop stood still for the whole interval
 * @param limit milliseconds from which strangers are refused
 */
export function isTooBusy(lag: number, limit: number, isStranger: boolean): boolean {
  const known = Number.isFinite(lag) ? lag : sampleInterval;
  return known > (isStranger ? 1 : overwhelmed) * limit;
}
