import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceFaultError } from '@pdf2press/contract';
import type { CloudClient, CloudEntry } from './client.ts';

/** A download that breaks off is taken up again this often without a byte having come. */
const mostBreaks = 4;
const firstPauseMs = 250;

const changed = () => new SourceFaultError('source.changed');

/** @throws SourceFaultError `source.changed` when the file is another one than was listed, or gone */
async function demandSame(client: CloudClient, file: CloudEntry): Promise<void> {
  const now = await client.find(file.driveId, file.id);
  if (now?.revision !== file.revision || now.size !== file.size) throw changed();
}

const isFinal = (error: unknown): boolean => error instanceof SourceFaultError && error.code !== 'source.unreachable';

/**
 * The bytes of a file. A download that breaks off goes on where it was, if the file is still the same; at the end the bytes
 * are those that were listed, or it throws: never a half of one file and a half of another.
 * @throws SourceFaultError `source.changed`, `source.unreachable` and those of the client
 */
export async function* readFile(
  client: CloudClient,
  file: CloudEntry,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const sum = createHash('md5');
  let at = 0;
  let breaks = 0;
  while (at < file.size) {
    const begun = at;
    try {
      for await (const piece of await client.read(file, at)) {
        at += piece.length;
        if (at > file.size) throw changed();
        sum.update(piece);
        yield piece;
      }
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      if (at === begun && breaks >= mostBreaks) throw new SourceFaultError('source.unreachable', {}, { cause: error });
    }
    if (at >= file.size) break;
    breaks = at === begun ? breaks + 1 : 0;
    if (breaks > mostBreaks) throw new SourceFaultError('source.unreachable');
    await sleep(firstPauseMs * 2 ** breaks, undefined, { signal });
    await demandSame(client, file);
  }
  if (file.md5 !== undefined && sum.digest('hex') !== file.md5) throw changed();
  await demandSame(client, file);
}
