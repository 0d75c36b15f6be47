import type { CloudProvider } from '@pdf2press/contract';
import type { AccessTools } from '../access-token.ts';
import type { CloudClient } from './client.ts';
import type { CloudGrant, CloudSettings } from './contract.ts';
import { type SignedIn, signedIn } from './signed-in.ts';

/** The client libraries are large, and only one of them is needed. */
const clients: Readonly<Record<CloudProvider, () => Promise<(access: SignedIn) => CloudClient>>> = {
  GoogleDrive: async () => (await import('./google-drive.ts')).googleDrive,
  OneDrive: async () => (await import('./one-drive.ts')).oneDrive,
};

/** The account of a grant. @throws SourceFaultError `source.notSetUp` */
export async function openCloud(
  { provider, hasLibraries }: Pick<CloudSettings, 'provider' | 'hasLibraries'>,
  grant: CloudGrant,
  tools: AccessTools,
  signal: AbortSignal,
): Promise<CloudClient> {
  const access = signedIn({ provider, hasLibraries, grant }, tools, signal);
  return (await clients[provider]())(access);
}
