/* Exported as `@pdf2press/sources/sftp`: tries the connection of a server of SFTP, for its form. */
import { type ErrorParams, type SftpStage, type SourceFault, SourceFaultError } from '@pdf2press/contract';
import type { SftpConnection } from '@pdf2press/sftp/client';
import type { SourceTools } from '../source.ts';
import type { TriedSftpServer } from './contract.ts';
import { listFiles } from './list-tree.ts';
import { openServer, tell } from './open-server.ts';

export interface SftpTrial {
  /** Where it ended; null = all stages were passed. */
  failed: { stage: SftpStage; code: SourceFault; params: ErrorParams } | null;
  /** By which the server says who it is; null = it did not come so far. */
  hostKey: string | null;
  /** Files that lie directly in the folder; null = it was not listed. */
  files: number | null;
}

interface Trying {
  secret: { password: string; privateKey: string; passphrase: string };
  tools: Pick<SourceTools, 'addressOf'>;
  signal: AbortSignal;
}

/**
 * Looks up the name, connects, compares the key, signs in, lists the folder and reads the beginning of a file, if there is one;
 * changes nothing. Resolves to where it failed; an error that is none of the server's is thrown.
 */
export async function trySftp(server: TriedSftpServer, trying: Trying): Promise<SftpTrial> {
  const trial: SftpTrial = { failed: null, hostKey: null, files: null };
  let stage: SftpStage = 'name';
  let connection: SftpConnection | undefined;
  try {
    const on = {
      address: () => {
        stage = 'connect';
      },
      key: (key: string) => {
        trial.hostKey = key;
        // Whoever shows the known key is the server; from here on it is about who signs in.
        stage = server.hostKey === '' || server.hostKey === key ? 'signIn' : 'hostKey';
      },
    };
    connection = await openServer(server, { ...trying, on });
    const { session } = connection;
    stage = 'list';
    const files = await listFiles(session, server.path, { hasSubfolders: false, include: ['*'], exclude: [] }, false);
    trial.files = files.length;
    stage = 'readFile';
    const [first] = files;
    if (first)
      await tell(async () => {
        const file = await session.open(first.path);
        for await (const _ of file.bytes()) break;
        await file.close();
      });
  } catch (error) {
    const fault = trying.signal.aborted ? new SourceFaultError('source.unreachable') : error;
    if (!(fault instanceof SourceFaultError)) throw error;
    trial.failed = { stage, code: fault.code, params: fault.params };
  } finally {
    connection?.end();
  }
  return trial;
}
