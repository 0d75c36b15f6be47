/*
 * Exported as `@pdf2press/sources/runners`: how the polled kinds are polled. A polled kind without a line here does not
 * compile.
 */
import { type SourceKind, sourceContracts } from './contracts.ts';
import { bindSource, type PolledSource } from './polled-source.ts';
import type { SourceRunner, SourceWatcher } from './source.ts';

export { bindSource, type PolledSource, type PollInput } from './polled-source.ts';

type Contracts = typeof sourceContracts;
type PolledKind = { [K in SourceKind]: Contracts[K] extends { isPolled: true } ? K : never }[SourceKind];

/** Loaded when the first inlet of the kind is polled. */
const runners: { readonly [K in PolledKind]: () => Promise<{ run: SourceRunner<Contracts[K]> }> } = {
  folder: () => import('./folder/run.ts'),
  sftp: () => import('./sftp/run.ts'),
  email: () => import('./email/run.ts'),
  cloud: () => import('./cloud/run.ts'),
};

/** The kinds whose source tells by itself that there is something new. */
const watchers: { readonly [K in PolledKind]?: SourceWatcher<Contracts[K]> } = {
  email: async (input) => (await import('./email/watch.ts')).watch(input),
};

const bindKind = <K extends PolledKind>(kind: K): PolledSource =>
  bindSource<Contracts[K]>(sourceContracts[kind], runners[kind], watchers[kind]);

/** Every polled kind by its name. */
export const polledSources: ReadonlyMap<string, PolledSource> = new Map(
  (Object.keys(runners) as PolledKind[]).map((kind) => [kind, bindKind(kind)]),
);
