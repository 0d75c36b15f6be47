import { SourceFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import type {
  ConnectionContract,
  CursorOf,
  SourceContract,
  SourceInput,
  SourceItem,
  SourceRunner,
  SourceTools,
  SourceWatcher,
} from './source.ts';

/** The input of one poll as it is stored; the kind's own schemas parse it. */
export interface PollInput {
  settings: unknown;
  connection?: { settings: unknown; secret: unknown } | undefined;
  cursor?: unknown;
  signal: AbortSignal;
  tools: SourceTools;
}

/** A polled kind with its types hidden, so that intake need not know them. */
export interface PolledSource {
  contract: SourceContract;
  poll(input: PollInput): AsyncGenerator<SourceItem, unknown, undefined>;
  /** Resolves to true as soon as another poll would find something; absent where the source cannot tell. */
  watch?(input: PollInput): Promise<boolean>;
}

function read<Z extends z.ZodType>(schema: Z, value: unknown, fieldOf: (path: string) => string): z.output<Z> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SourceFaultError('source.settingsInvalid', {
    field: fieldOf(parsed.error.issues[0]?.path.join('.') ?? ''),
  });
}

function readConnection(contract: ConnectionContract | undefined, stored: PollInput['connection']): unknown {
  if (!contract) return undefined;
  if (!stored) throw new SourceFaultError('source.connectionMissing');
  return {
    settings: read(contract.settings, stored.settings, (path) => path),
    secret: read(contract.secret, stored.secret, () => 'secret'),
  };
}

/**
 * Combines a contract with its runner. `poll` throws SourceFaultError `source.settingsInvalid` naming the setting, or
 * `source.connectionMissing`.
 */
export function bindSource<C extends SourceContract>(
  contract: C,
  load: () => Promise<{ run: SourceRunner<C> }>,
  watch?: SourceWatcher<C>,
): PolledSource {
  const typed = (input: PollInput): SourceInput<C> => {
    const cursor = contract.cursor?.safeParse(input.cursor);
    return {
      ...input,
      settings: read(contract.settings, input.settings, (path) => path) as SourceInput<C>['settings'],
      // The contract's schemas give what its runner takes: SourceInput is derived from the same contract.
      connection: readConnection(contract.connection, input.connection) as SourceInput<C>['connection'],
      cursor: (cursor?.success ? cursor.data : undefined) as CursorOf<C> | undefined,
    };
  };
  return {
    contract,
    poll: async function* (input) {
      const given = typed(input);
      const { run } = await load();
      return yield* run(given);
    },
    ...(watch && { watch: async (input) => watch(typed(input)) }),
  };
}
