import { SourceFaultError } from '@pdf2press/contract';
import { joinSftp, type SftpSession } from '@pdf2press/sftp/client';
import { goneItem, type SourceInput, type SourceItem, type SourceRunner } from '../source.ts';
import { isStable, itemsOf, type Look } from '../watched-folder.ts';
import type { sftpContract } from './contract.ts';
import { listFiles, type SftpItem } from './list-tree.ts';
import { openServer, tell } from './open-server.ts';
import { bringBack, settleFile, stateOf } from './settle.ts';

/** What is kept between polls in this process. */
interface Memory {
  /** The state of each file at an earlier poll, by its path, and since when, by the clock of the tools. */
  looks: Map<string, Look>;
  /** Files that are done with and stay where they are, by what identifies their content. */
  settled: Set<string>;
}

function memoryOf(memory: Map<string, unknown>): Memory {
  const kept = memory.get('folder') as Memory | undefined;
  if (kept) return kept;
  const fresh: Memory = { looks: new Map(), settled: new Set() };
  memory.set('folder', fresh);
  return fresh;
}

/**
 * The bytes of a file; throws when it is not the one that was listed, and at the end when it was changed while it was read.
 * Everything is asked of the opened file: what its name leads to may be another one by then.
 */
async function* readUnchanged(session: SftpSession, file: SftpItem): AsyncGenerator<Uint8Array> {
  const opened = await tell(() => session.open(file.path));
  try {
    const demandSame = async () => {
      if (stateOf(await tell(() => opened.state())) !== stateOf(file)) throw new SourceFaultError('source.changed');
    };
    await demandSame();
    let read = 0;
    for await (const piece of opened.bytes()) {
      read += piece.length;
      if (read > file.size) throw new SourceFaultError('source.changed');
      yield piece;
    }
    await demandSame();
    if (read !== file.size) throw new SourceFaultError('source.changed');
  } finally {
    // Of a connection that broke the work itself has told.
    await opened.close().catch(() => undefined);
  }
}

/** What a poll does with the files of a folder. */
interface Poll {
  session: SftpSession;
  input: SourceInput<typeof sftpContract>;
  folder: string;
  memory: Memory;
}

/** Ids of files of this place begin so. */
const prefixOf = ({ connectionId, path }: Poll['input']['settings']): string => `${connectionId} ${path}/`;

/** What follows the path in an external id: size and time. */
const stateIn = (externalId: string): string => externalId.split(' ').slice(-2).join(' ');

function itemOf({ session, input, folder, memory }: Poll, file: SftpItem): SourceItem<never> {
  const { settings, connection } = input;
  const { name, size, modifiedAt, path, way } = file;
  const state = stateOf(file);
  const externalId = `${prefixOf(settings)}${[...way, name].join('/')} ${state}`;
  return {
    externalId,
    name,
    size,
    modifiedAt,
    sourceName: [connection.settings.host, settings.path, ...way].filter(Boolean).join('/'),
    open: () => readUnchanged(session, file),
    settle: async (outcome, reason) => {
      const { after } = settings;
      await tell(() => settleFile(session, { folder, file: { path, name, state }, after, outcome, reason }));
      memory.looks.delete(path);
      if (after === 'leave') memory.settled.add(externalId);
    },
  };
}

/** Puts back what people asked for once more; yields those that are gone. */
async function* findAsked({ session, input, folder, memory }: Poll): AsyncGenerator<SourceItem<never>> {
  const prefix = prefixOf(input.settings);
  for (const [externalId, item] of await input.tools.asked(prefix)) {
    memory.settled.delete(externalId);
    const state = stateIn(externalId);
    const way = externalId.slice(prefix.length, -state.length - 1).split('/');
    const name = way.pop() ?? '';
    if (!(await tell(() => bringBack(session, folder, { way, name, state, takesSidecars: input.tools.takesSidecars }))))
      yield goneItem(externalId, item, 'file.gone');
  }
}

/** Forgets what no longer lies there. */
function forget({ looks, settled }: Memory, files: readonly SftpItem[], ids: ReadonlySet<string>): void {
  const paths = new Set(files.map(({ path }) => path));
  for (const path of looks.keys()) if (!paths.has(path)) looks.delete(path);
  for (const id of settled) if (!ids.has(id)) settled.delete(id);
}

/**
 * Yields the files that have not changed for long enough. It needs no cursor: a file that was taken leaves the folder, or is
 * recognised by its external id (path, size and time).
 */
export const run: SourceRunner<typeof sftpContract> = async function* (input) {
  const { settings, connection, signal, tools } = input;
  const { session, end } = await openServer(connection.settings, { secret: connection.secret, tools, signal });
  try {
    const folder = settings.path === '' ? connection.settings.path : joinSftp(connection.settings.path, settings.path);
    const memory = memoryOf(tools.memory);
    const poll: Poll = { session, input, folder, memory };
    yield* findAsked(poll);
    const { takesSidecars } = tools;
    const files = await listFiles(session, folder, settings, takesSidecars);
    forget(memory, files, new Set(files.map((file) => itemOf(poll, file).externalId)));
    const open = files.filter((file) => !memory.settled.has(itemOf(poll, file).externalId));
    const items = itemsOf(open, {
      rules: settings,
      stableSeconds: settings.stableSeconds,
      takesSidecars,
      isWhole: (file, stableSeconds) =>
        isStable(
          memory.looks,
          { key: file.path, state: stateOf(file), size: file.size },
          { stableSeconds, now: tools.now() },
        ),
      itemOf: (file) => itemOf(poll, file),
    });
    for (const item of items) {
      signal.throwIfAborted();
      yield item;
    }
    return undefined;
  } finally {
    end();
  }
};
