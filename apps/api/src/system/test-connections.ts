import { randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  type ArchivingStage,
  archivingSecretSchema,
  problem,
  type routes,
  type SystemSettings,
  storedSecretMark,
} from '@pdf2press/contract';
import {
  actionSecretPurpose,
  namedBucket,
  openArchive,
  readSettings,
  showNotice,
  tryNoticeHook,
} from '@pdf2press/engine';
import { revealSecret } from '@pdf2press/engine/secrets';
import { renderMail, sendMail, verifyServer } from '@pdf2press/mail';
import type { Storage } from '@pdf2press/storage';
import type { ApiDeps } from '../deps.ts';
import type { ReadBody } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { secretToTry } from '../profiles/connection-secrets.ts';
import { storedSettings } from '../profiles/stored-settings.ts';

/** The secret to test with: the one sent, or the stored one where the placeholder was sent. */
async function opened(
  deps: ApiDeps,
  caller: Caller,
  {
    given,
    purpose,
    stored,
  }: { given: string | null; purpose: string; stored: (settings: SystemSettings) => string | null },
): Promise<string | null> {
  if (given !== storedSecretMark) return given;
  return asCaller(deps, caller, async (tx) => {
    const id = stored(await readSettings(tx, caller.subscriberId));
    return id ? revealSecret(tx, deps.keys, { subscriberId: caller.subscriberId, id, purpose }) : null;
  });
}

/** Connects, signs in and sends a message to the sender. @throws ProblemError `mail.connectionFailed`, which repeats nothing that the server said */
export async function testMail(deps: ApiDeps, caller: Caller, given: SystemSettings['smtpSettings']): Promise<void> {
  const password = await opened(deps, caller, {
    given: given.password,
    purpose: 'smtp.password',
    // The stored password is sent to the stored host only.
    stored: ({ smtpSettings }) => (smtpSettings.host === given.host ? smtpSettings.password : null),
  });
  const server = { ...given, password };
  try {
    await verifyServer(deps.mail, server);
    if (!caller.email) return;
    const rendered = renderMail('test', caller.locale, { app: deps.env.title, name: caller.name });
    await sendMail(deps.mail, { subscriberId: caller.subscriberId, server, mail: { ...rendered, to: caller.email } });
  } catch (error) {
    deps.log.info({ err: error }, 'mail test failed');
    throw problem('mail.connectionFailed');
  }
}

/** Calls the address with a notification that says that it is a test. @throws ProblemError of `tryNoticeHook` */
export async function testNoticeHook(
  deps: ApiDeps,
  caller: Caller,
  { url, secret: given }: ReadBody<typeof routes.system.testNoticeHook>,
): Promise<void> {
  const secret = await opened(deps, caller, {
    given,
    purpose: actionSecretPurpose,
    stored: ({ noticeSettings }) => noticeSettings.hook.secret,
  });
  const code = 'noticeHook.test';
  const { kind, message, whatToDo } = showNotice(caller.locale, code, {});
  const link = new URL('/settings?tab=notices', deps.env.publicUrl).href;
  const notice = { id: code, kind, code, severity: 'Info', message, whatToDo, link, at: new Date().toISOString() };
  await tryNoticeHook({ url, secret, notice }, deps.env.outboundAllowedHosts);
}

type ArchivingConfig = ReadBody<typeof routes.system.testArchiving>;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Writes one object, reads it back, compares it and deletes it. `reached` is told each stage as it begins. */
async function tryArchive(
  storage: Storage | undefined,
  subscriberId: string,
  reached: (stage: ArchivingStage) => void,
): Promise<void> {
  reached('setUp');
  if (!storage) throw new Error('incomplete');
  const bytes = randomBytes(64);
  reached('write');
  const { sha256 } = await storage.put({ subscriberId, bytes: once(bytes) });
  const blob = { subscriberId, sha256 };
  reached('readBack');
  const parts: Buffer[] = [];
  for await (const part of await storage.open(blob)) parts.push(part as Buffer);
  const isSame = bytes.equals(Buffer.concat(parts));
  reached('remove');
  await storage.remove(blob);
  if (isSame) return;
  reached('readBack');
  throw new Error('the archive gave back other bytes than it was given');
}

/**
 * Writes, reads, compares and deletes one object within ten seconds. The secret is in clear text. @throws ProblemError
 * `archiving.connectionFailed` with the stage that it failed at
 */
async function tryBucket(deps: ApiDeps, { subscriberId }: Caller, config: ArchivingConfig): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stage: ArchivingStage = 'setUp';
  try {
    const storage = openArchive(config, {
      endpoint: deps.env.archiveEndpoint,
      prefix: `pdf2press-test/${subscriberId}/`,
      cacheFolder: path.join(deps.env.dataDir, 'archive-test'),
    });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer within ten seconds')), 10_000);
    });
    const tried = tryArchive(storage, subscriberId, (reached) => {
      stage = reached;
    });
    await Promise.race([tried, late]);
  } catch (error) {
    deps.log.info({ err: error, stage }, 'archive test failed');
    throw problem('archiving.connectionFailed', { stage });
  } finally {
    clearTimeout(timer);
  }
}

/** Tries the bucket of the settings. @throws as `tryBucket` */
export async function testArchiving(deps: ApiDeps, caller: Caller, given: ArchivingConfig): Promise<void> {
  const secretKey = await opened(deps, caller, {
    given: given.secretKey,
    purpose: 'archiving.secretKey',
    stored: ({ archivingSettings }) => archivingSettings.config.secretKey,
  });
  await tryBucket(deps, caller, { ...given, secretKey });
}

/**
 * Tries the bucket of a policy: with its keys, sent or stored, and with what the settings say where it has none.
 * @throws as `tryBucket`, InvalidRequestError 422 `value.required` for a mark of a secret that is not stored
 */
export async function testArchivingBucket(
  deps: ApiDeps,
  caller: Caller,
  { id, ...given }: ReadBody<typeof routes.archiving.test>,
): Promise<void> {
  const { subscriberId } = caller;
  const about = { kind: 'archiving', subscriberId, given, settings: given } as const;
  const { config, own } = await asCaller(deps, caller, async (tx) => ({
    config: (await readSettings(tx, subscriberId)).archivingSettings.config,
    own: await secretToTry(tx, deps, {
      ...about,
      stored: id === undefined ? undefined : await storedSettings(tx, 'archiving', id),
    }),
  }));
  const bucket = namedBucket(given, config);
  const { accessKey } = given;
  if (accessKey === '') await testArchiving(deps, caller, { ...config, ...bucket, secretKey: storedSecretMark });
  else await tryBucket(deps, caller, { accessKey, ...archivingSecretSchema.parse(own), ...bucket });
}
