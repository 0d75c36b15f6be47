/* Exported as `@pdf2press/sources/cloud`: what a cloud storage asks for, its folders, its account, and the test of its connection. */
import { type CloudStage, type ErrorParams, type SourceFault, SourceFaultError } from '@pdf2press/contract';
import type { AccessTools } from '../access-token.ts';
import { cloudAppOf } from '../sign-in.ts';
import type { CloudClient, CloudDrive } from './client.ts';
import { type CloudGrant, type CloudSettings, cloudGrantSchema } from './contract.ts';
import { pagesOf } from './list-tree.ts';
import { openCloud } from './open-cloud.ts';

export type { CloudClient } from './client.ts';
export { cloudGrantSchema } from './contract.ts';
export { cloudScopes } from './scopes.ts';

/** Folders of one folder that are offered. */
const mostOffered = 1_000;

/** What a call of a person needs; the kept access token of a poll is not shared. */
interface Asking {
  settings: CloudSettings;
  /** As it is stored; undefined = nobody has connected it. */
  grant: unknown;
  tools: Pick<AccessTools, 'fetch' | 'cloudApps' | 'renewSecret'>;
  signal: AbortSignal;
}

function open({ settings, grant, tools, signal }: Asking) {
  const read = cloudGrantSchema.safeParse(grant);
  if (!read.success) throw new SourceFaultError('source.signInNeeded');
  return openCloud(settings, read.data, { ...tools, memory: new Map(), now: () => performance.now() }, signal);
}

/** Who has connected it: an address where the service tells it. */
export const accountOf = async (asking: Omit<Asking, 'grant'> & { grant: CloudGrant }): Promise<string> =>
  (await open(asking)).account();

/**
 * The account, to store files in.
 * @throws SourceFaultError `source.signInNeeded`; `source.denied` when it has allowed reading only
 */
export async function openForWriting(asking: Asking): Promise<CloudClient> {
  const client = await open(asking);
  if (cloudGrantSchema.parse(asking.grant).mayWrite) return client;
  throw new SourceFaultError('source.denied');
}

/** The drives and libraries of the account. */
export const listDrives = async (asking: Asking): Promise<CloudDrive[]> => (await open(asking)).drives();

/** The folders that lie directly in one, by their names. */
export async function listFolders(
  asking: Asking,
  place: { driveId: string; folderId: string },
): Promise<{ id: string; name: string }[]> {
  const client = await open(asking);
  const found = new Map<string, string>();
  for await (const { rows } of pagesOf((page) => client.children(place, page))) {
    for (const { id, name, kind } of rows) if (kind === 'folder') found.set(id, name);
    if (found.size >= mostOffered) break;
  }
  const folders = [...found].map(([id, name]) => ({ id, name }));
  return folders.sort((a, b) => a.name.localeCompare(b.name)).slice(0, mostOffered);
}

export interface CloudTrial {
  /** Where it ended; null = all stages were passed. */
  failed: { stage: CloudStage; code: SourceFault; params: ErrorParams } | null;
  /** Who is signed in, as far as it came. */
  account: string | null;
}

/**
 * Looks whether the installation is registered, signs in, lists the drives and looks for the chosen folders; changes
 * nothing. Resolves to where it failed; an error that is none of the service's is thrown.
 */
export async function tryCloud(asking: Asking): Promise<CloudTrial> {
  const { settings, signal, tools } = asking;
  let stage: CloudStage = 'setUp';
  let account: string | null = null;
  try {
    cloudAppOf(tools.cloudApps, settings.provider);
    stage = 'signIn';
    const client = await open(asking);
    account = await client.account();
    stage = 'list';
    await client.drives();
    await client.children({ driveId: '', folderId: 'root' });
    stage = 'read';
    for (const { driveId, folderId, path } of settings.folders)
      if ((await client.find(driveId, folderId))?.kind !== 'folder')
        throw new SourceFaultError('source.folderMissing', { folder: path });
    return { failed: null, account };
  } catch (error) {
    const fault = signal.aborted ? new SourceFaultError('source.unreachable') : error;
    if (!(fault instanceof SourceFaultError)) throw error;
    return { failed: { stage, code: fault.code, params: fault.params }, account };
  }
}
