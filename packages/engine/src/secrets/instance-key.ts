import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The installation's one secret and the keys made from it; each purpose has its own, so none can stand in for another. */
export interface InstanceKeys {
  /** 32 bytes for a purpose, the same at every start. */
  derive(purpose: string): Buffer;
  /** Names the key that wraps data keys, so that a ciphertext says which one it needs. */
  wrappingKeyId: string;
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/** The key file, made once with 256 random bits; several processes starting together agree on one. */
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
    await link(draft, file); // fails when another process was first: then theirs counts
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url');
}

/**
 * The keys of this installation: from `secretKey` (environment, at least 32 characters) or from `<dataDir>/instance.key`
 * (mode 0600). Losing it makes stored secrets unreadable and signs everyone out; nothing else.
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
