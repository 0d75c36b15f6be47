/* Exported as `@pdf2press/sources/mailbox`: tries the connection of a mailbox, for its form; what its account is asked for. */
import { type ErrorParams, type MailboxStage, type SourceFault, SourceFaultError } from '@pdf2press/contract';
import type { ImapFlow } from 'imapflow';
import type { SourceTools } from '../source.ts';
import type { MailboxServer } from './contract.ts';
import { credentialsOf } from './credentials.ts';
import { mailboxFault, openFolder, signIn } from './open-mailbox.ts';

export { mailProvider, mailScopes } from './mail-service.ts';

export interface MailboxTrial {
  /** Where it ended; null = all stages were passed. */
  failed: {
    stage: MailboxStage;
    code: SourceFault;
    params: ErrorParams;
  } | null;
  /** Folders of the mailbox, as far as it was signed in. */
  folders: string[];
  /** Mails in the folder; null = it was not opened. */
  mails: number | null;
}

/** The stage that a fault of signing in belongs to. */
const stageOf: Partial<Record<SourceFault, MailboxStage>> = {
  'source.hostUnknown': 'name',
  'source.hostBlocked': 'name',
  'source.unreachable': 'connect',
  'source.tlsFailed': 'tls',
  'source.denied': 'signIn',
  'source.signInNeeded': 'signIn',
  'source.busy': 'signIn',
};
const mostFolders = 200;

/** Asks the service for access first, where the mailbox signs in by the consent of its account. */
async function askAccess(server: MailboxServer, { secret, tools, signal }: Trying) {
  // The kept access token of a poll is not shared.
  const own = { ...tools, memory: new Map(), now: () => performance.now() };
  const credentials = credentialsOf(server, secret, own, signal);
  if ('accessToken' in credentials) await credentials.accessToken(false);
  return credentials;
}

interface Trying {
  /** As it is stored, or was sent; undefined = nobody has connected the account. */
  secret: unknown;
  tools: Pick<SourceTools, 'addressOf' | 'fetch' | 'cloudApps' | 'renewSecret'>;
  signal: AbortSignal;
}

/**
 * Asks for access at the service, looks up the name, connects, encrypts, signs in, lists the folders and opens the one that
 * is set; changes nothing. Resolves to where it failed; an error that is none of the servers' is thrown.
 */
export async function tryMailbox(server: MailboxServer, trying: Trying): Promise<MailboxTrial> {
  const { tools, signal } = trying;
  const trial: MailboxTrial = { failed: null, folders: [], mails: null };
  let stage: MailboxStage | null = 'access';
  let client: ImapFlow | undefined;
  try {
    const credentials = await askAccess(server, trying);
    stage = null;
    client = await signIn(server, { credentials, addressOf: tools.addressOf, signal });
    stage = 'list';
    const listed = await client.list();
    trial.folders = listed.slice(0, mostFolders).map(({ path }) => path);
    stage = 'read';
    trial.mails = (await openFolder(client, server.folder)).exists;
  } catch (error) {
    const fault = mailboxFault(error);
    const isKnown = fault instanceof SourceFaultError;
    if (!isKnown && client === undefined && !signal.aborted) throw error;
    const { code, params } = isKnown ? fault : new SourceFaultError('source.unreachable');
    trial.failed = { stage: stage ?? stageOf[code] ?? 'connect', code, params };
  } finally {
    client?.close();
  }
  return trial;
}
