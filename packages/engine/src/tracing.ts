/*
 * Exported as `@pdf2press/engine/tracing`: traces from request to session, step, child process and effect, off unless the
 * OTEL_* variables name where they go. Off, it loads nothing and costs a comparison.
 */
import type { OpenSpan, Traced, Tracing } from './otel.ts';

export type { OpenSpan, Traced } from './otel.ts';

let tracing: Tracing | undefined;

/** Whether the standard variables name a collector and do not switch traces off. */
export const isTracingWanted = (source: NodeJS.ProcessEnv = process.env): boolean =>
  Boolean(source.OTEL_EXPORTER_OTLP_ENDPOINT || source.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) &&
  source.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  source.OTEL_TRACES_EXPORTER !== 'none';

/** Switches traces on where the variables want them. Called once, before the process does its work. */
export async function startTracing(options: {
  service: string;
  version: string;
  warn: (message: string) => void;
}): Promise<void> {
  if (!isTracingWanted()) return;
  const { openTracing } = await import('./otel.ts');
  tracing = openTracing(options);
}

/** Sends what is left. Never rejects: a collector that is gone must not keep a process from ending well. */
export async function stopTracing(): Promise<void> {
  const ended = tracing;
  tracing = undefined;
  await ended?.stop().catch(() => undefined); // whoever is to know was told by `warn`
}

/** The trace that this code runs in, for the rows that a transaction writes. */
export const currentTrace = (): string | undefined => tracing?.current();

/** Undefined where traces are off. */
export const beginSpan = (what: Traced): OpenSpan | undefined => tracing?.begin(what);

/** A fault by its code, or by its kind: messages may hold what is secret. */
const faultOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : error instanceof Error
      ? error.name
      : 'unknown';

/** Runs work within a span of its own, which ends with it; `facts` tells attributes that are known then. */
export async function traced<T>(
  what: Traced,
  work: () => Promise<T>,
  facts?: (done: T) => Traced['attributes'],
): Promise<T> {
  const span = beginSpan(what);
  if (!span) return work();
  try {
    const done = await span.run(work);
    span.end({ attributes: facts?.(done) });
    return done;
  } catch (error) {
    span.end({ fault: faultOf(error) });
    throw error;
  }
}
