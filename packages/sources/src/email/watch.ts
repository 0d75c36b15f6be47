import type { SourceWatcher } from '../source.ts';
import type { emailContract } from './contract.ts';
import { credentialsOf } from './credentials.ts';
import { mailboxFault, openFolder, signIn } from './open-mailbox.ts';
import { lastSeen } from './run.ts';

/**
 * Waits in the folder until the server tells of another mail (IDLE, RFC 2177). A mail that came between the poll and now is
 * told by the UID that the next one will have. Without IDLE, or when the connection ends, the next poll finds what is there.
 */
export const watch: SourceWatcher<typeof emailContract> = async ({ connection, signal, tools }) => {
  const { settings, secret } = connection;
  const credentials = credentialsOf(settings, secret, tools, signal);
  const client = await signIn(settings, { credentials, addressOf: tools.addressOf, signal });
  try {
    if (!client.capabilities.has('IDLE')) return false;
    const { uidValidity, uidNext } = await openFolder(client, settings.folder);
    const seen = lastSeen(tools.memory);
    if (seen && (seen.uidValidity !== uidValidity || uidNext > seen.uidNext)) return true;
    return await new Promise<boolean>((resolve, reject) => {
      client.on('exists', ({ count, prevCount }) => {
        if (count > prevCount) resolve(true);
      });
      client.on('close', () => resolve(false));
      client.idle().then(() => resolve(false), reject);
    });
  } catch (error) {
    throw mailboxFault(error);
  } finally {
    client.close();
  }
};
