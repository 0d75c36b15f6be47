import { DeliveryFaultError, type SourceFault, SourceFaultError } from '@pdf2press/contract';
import type { CloudAccount } from '@pdf2press/deliveries/runners';
import { type CloudClient, openForWriting } from '@pdf2press/sources/cloud';
import { type CloudApps, cloudSettingsSchema, type GuardedFetch } from '@pdf2press/sources/contracts';
import type { EngineDeps } from '../../deps.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { openConnection, renewConnectionSecret } from '../../sources/open-connection.ts';

const profile = 'cloudStorage';

/** With what accounts of cloud storages are signed in. */
export interface CloudDelivery {
  keys: InstanceKeys;
  fetch: GuardedFetch;
  cloudApps: CloudApps;
}

const needsSignIn: ReadonlySet<SourceFault> = new Set([
  'source.signInNeeded',
  'source.denied',
  'source.notSetUp',
  'source.connectionMissing',
  'source.secretUnreadable',
]);

/** A fault of the account as one of the delivery; any other error stays as it is. */
function faultOf(error: unknown, name: string): unknown {
  if (!(error instanceof SourceFaultError)) return error;
  const cause = { cause: error };
  if (needsSignIn.has(error.code)) return new DeliveryFaultError('delivery.signInNeeded', { name }, cause);
  if (error.code === 'source.busy') return new DeliveryFaultError('delivery.busy', {}, cause);
  return new DeliveryFaultError('delivery.unreachable', { text: '' }, cause);
}

/**
 * Opens the account of a cloud storage to store files in. It is signed in with what the cloud storage keeps, which a service may
 * replace with every use.
 * @throws DeliveryFaultError `delivery.signInNeeded`, `delivery.busy`, `delivery.unreachable`, as those of the account
 */
export async function openCloudAccount(
  deps: EngineDeps,
  { keys, fetch, cloudApps }: CloudDelivery,
  { subscriberId, connectionId, signal }: { subscriberId: string; connectionId: string; signal: AbortSignal },
): Promise<CloudAccount> {
  const name = await deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const found = await tx.profile.findFirst({ where: { id: connectionId, kind: profile }, select: { name: true } });
    return found?.name ?? '';
  });
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw faultOf(error, name);
    }
  };
  const open = async (): Promise<CloudClient> => {
    const { settings, secret } = await openConnection(deps, keys, { subscriberId, connectionId, profile });
    let before = secret;
    const renewSecret = async (renewed: unknown) => {
      await renewConnectionSecret(deps, keys, { subscriberId, connectionId, profile, before, secret: renewed });
      before = renewed;
    };
    const tools = { fetch, cloudApps, renewSecret };
    return openForWriting({ settings: cloudSettingsSchema.parse(settings), grant: secret, tools, signal });
  };
  const client = await told(open());
  const account: CloudAccount<Awaited<ReturnType<CloudClient['upload']>>> = {
    find: (driveId, id) => told(client.find(driveId, id)),
    named: (place, fileName) => told(client.named(place, fileName)),
    makeFolder: (place, folderName) => told(client.makeFolder(place, folderName)),
    upload: (place, file) => told(client.upload(place, file)),
    read: (file, from) => told(client.read(file, from)),
    rename: (file, fileName) => told(client.rename(file, fileName)),
    remove: (file) => told(client.remove(file)),
  };
  // A delivery passes on the items that this account gave it, whole.
  return account as unknown as CloudAccount;
}
