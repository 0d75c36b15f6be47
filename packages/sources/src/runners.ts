/* The door `@pdf2press/sources/runners`: how the polled kinds look for files. */
import type { z } from 'zod';
import { sourceContracts } from './contracts.ts';
import { pollFolder } from './folder/run.ts';
import type { FoundItem, Poller, PollTools } from './source.ts';

type Contracts = typeof sourceContracts;
type PolledKind = { [K in keyof Contracts]: Contracts[K] extends { isPolled: true } ? K : never }[keyof Contracts];

const pollers: { readonly [K in PolledKind]: Poller<z.output<Contracts[K]['settings']>> } = {
  folder: pollFolder,
};

/** The files a source has for us now. Settings are read by the kind's schema; an unknown or pushed kind has none. */
export function poll(kind: string, settings: unknown, tools: PollTools): AsyncIterable<FoundItem> | undefined {
  if (!Object.hasOwn(pollers, kind)) return undefined;
  const polled = kind as PolledKind;
  return pollers[polled](sourceContracts[polled].settings.parse(settings), tools);
}
