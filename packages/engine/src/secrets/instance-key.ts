import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The keys derived from the installation's one secret; each purpose has a key of its own, so that none can replace another.
 */
export interface InstanceKeys {
  /** 32 bytes for a purpose, the same after each start. */
  derive(purpose: string): Buffer;
  /** Id of the key that encrypts data keys, so that a ciphertext tells which key it needs. */
  wrappingKeyId: string;
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/** The key file, made once from 256 random bits; several processes that start together use the same one. */
async function readKeyFile(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'instance.key');
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url');
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  await mkdir(dataDir, { recursive: true });
  const draft = path.join(dataDir, `.instance.key.${randomUUID()}`);
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, file); // Fails when another process was first; then its key is used.
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url');
}

/**
 * The keys of this installation: from `secretKey` (environment, at least 32 characters) or from `<dataDir>/instance.key`
 * (mode 0600). When it is lost, stored secrets are unreadable and everyone is signed out; nothing else is lost.
 */
export async function openInstanceKeys(from: {
  dataDir: string;
  secretKey?: string | undefined;
}): Promise<InstanceKeys> {
  const secret = from.secretKey ? Buffer.from(from.secretKey, 'utf8') : await readKeyFile(from.dataDir);
  if (secret.length < 32) throw new Error('the instance key has fewer than 32 bytes');
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'pdf2press', purpose, 32));
  const wrappingKeyId = createHash('sha256').update(derive('wrap data keys')).digest('hex').slice(0, 16);
  return { derive, wrappingKeyId };
}
