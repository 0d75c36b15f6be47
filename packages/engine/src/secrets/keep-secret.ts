import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from './instance-key.ts';

/** A secret that cannot be decrypted: the instance key is another one, or the row was moved or changed. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM; the result is nonce ‖ tag ‖ ciphertext. `about` is authenticated, so a ciphertext cannot be moved to another
 * row.
 */
function seal(key: Buffer, text: Buffer, about: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function unseal(key: Buffer, sealed: Uint8Array, about: string): Buffer {
  const bytes = Buffer.from(sealed);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(about))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new SecretError(about, { cause });
  }
}

interface Place {
  subscriberId: string;
  id: string;
  purpose: string;
  version: number;
}
const aboutOf = ({ subscriberId, id, purpose, version }: Place) =>
  `${subscriberId}|secrets|${purpose}|${id}|${version}`;

/**
 * Stores a text encrypted with a data key of its own, which is encrypted with the instance's key (docs/security.md). With
 * the `id` of a stored secret it replaces that one. Resolves to the id; other tables hold nothing but ids.
 */
export async function keepSecret(
  tx: Transaction,
  keys: InstanceKeys,
  {
    subscriberId,
    purpose,
    text,
    id: known,
  }: { subscriberId: string; purpose: string; text: string; id?: string | undefined },
): Promise<string> {
  const before = known ? await tx.secret.findFirst({ where: { id: known, purpose } }) : null;
  const id = before?.id ?? newId('secret');
  const version = (before?.version ?? 0) + 1;
  const about = aboutOf({ subscriberId, id, purpose, version });
  const dataKey = randomBytes(32);
  const sealed = seal(dataKey, Buffer.from(text, 'utf8'), about);
  const row = {
    kekId: keys.wrappingKeyId,
    wrappedDek: new Uint8Array(seal(keys.derive('wrap data keys'), dataKey, about)),
    nonce: new Uint8Array(sealed.subarray(0, nonceBytes)),
    ciphertext: new Uint8Array(sealed.subarray(nonceBytes)),
    version,
  };
  if (before) await tx.secret.update({ where: { id }, data: { ...row, rotatedAt: new Date() } });
  else await tx.secret.create({ data: { id, subscriberId, purpose, ...row } });
  return id;
}

/**
 * The text of a stored secret. Use it at once and store it nowhere.
 * @throws SecretError when it is missing or cannot be decrypted
 */
export async function revealSecret(
  tx: Transaction,
  keys: InstanceKeys,
  { subscriberId, id, purpose }: { subscriberId: string; id: string; purpose: string },
): Promise<string> {
  const row = await tx.secret.findFirst({ where: { id, purpose } });
  if (!row) throw new SecretError('missing');
  if (row.kekId !== keys.wrappingKeyId) throw new SecretError('wrapped by another key');
  const about = aboutOf({ subscriberId, id, purpose, version: row.version });
  const dataKey = unseal(keys.derive('wrap data keys'), row.wrappedDek, about);
  return unseal(dataKey, Buffer.concat([row.nonce, row.ciphertext]), about).toString('utf8');
}

/**
 * Checks at the start that the instance key is the one that the data was written with.
 * @throws SecretError when it is another
 */
export async function checkSentinel(tx: Transaction, keys: InstanceKeys): Promise<void> {
  const key = 'secrets.sentinel';
  const known = await tx.hostFact.findUnique({ where: { key } });
  if (!known) {
    const sealed = seal(keys.derive('sentinel'), Buffer.from('pdf2press'), key).toString('base64url');
    await tx.hostFact.upsert({ where: { key }, create: { key, value: sealed }, update: {} });
    return;
  }
  unseal(keys.derive('sentinel'), Buffer.from(String(known.value), 'base64url'), key);
}
