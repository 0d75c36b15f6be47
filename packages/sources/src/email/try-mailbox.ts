/* Exported as `@pdf2press/sources/mailbox`: tries the connection of a mailbox, for its form. */
import { type ErrorParams, type MailboxStage, type SourceFault, SourceFaultError } from '@pdf2press/contract';
import type { ImapFlow } from 'imapflow';
import type { SourceTools } from '../source.ts';
import type { MailboxServer } from './contract.ts';
import { mailboxFault, openFolder, signIn } from './open-mailbox.ts';

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
};
const mostFolders = 200;

/**
 * Looks up the name, connects, encrypts, signs in, lists the folders and opens the one that is set; changes nothing.
 * Resolves to where it failed; an error that is none of the server's is thrown.
 */
export async function tryMailbox(
  server: MailboxServer,
  access: {
    password: string;
    addressOf: SourceTools['addressOf'];
    signal: AbortSignal;
  },
): Promise<MailboxTrial> {
  const trial: MailboxTrial = { failed: null, folders: [], mails: null };
  let stage: MailboxStage | null = null;
  let client: ImapFlow | undefined;
  try {
    client = await signIn(server, access);
    stage = 'list';
    const listed = await client.list();
    trial.folders = listed.slice(0, mostFolders).map(({ path }) => path);
    stage = 'read';
    trial.mails = (await openFolder(client, server.folder)).exists;
  } catch (error) {
    const fault = mailboxFault(error);
    const isKnown = fault instanceof SourceFaultError;
    if (!isKnown && stage === null && !access.signal.aborted) throw error;
    const { code, params } = isKnown ? fault : new SourceFaultError('source.unreachable');
    trial.failed = { stage: stage ?? stageOf[code] ?? 'connect', code, params };
  } finally {
    client?.close();
  }
  return trial;
}
