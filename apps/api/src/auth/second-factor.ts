import { createHmac, randomInt } from 'node:crypto';
import { problem, recoveryCodeCount } from '@pdf2press/contract';
import { keepSecret, revealSecret } from '@pdf2press/engine/secrets';
import type { SecondFactor, Transaction } from '@pdf2press/prisma';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { ApiDeps } from '../deps.ts';

type Keys = ApiDeps['keys'];

/** Whose second factor it is. */
interface Owner {
  subscriberId: string;
  userId: string;
}

const purpose = 'secondFactor';
/** Seconds by which the clock of a phone may differ. */
const toleranceSeconds = 30;

const where = ({ subscriberId, userId }: Owner) => ({ subscriberId_userId: { subscriberId, userId } });

/** The time step of an app's code, or null when it is of none that counts now. */
function stepOf(key: string, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const read = verifySync({ secret: key, token: code, epochTolerance: toleranceSeconds });
  return read.valid && 'timeStep' in read ? read.timeStep : null;
}

/** Without what people add for reading. */
const bare = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** Letters and digits that are not taken for one another. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const newRecoveryCode = (): string => {
  const half = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${half()}-${half()}`;
};

/** A recovery code is short enough to be guessed from a plain hash, so the hash takes the installation's key. */
const recoveryHash = (keys: Keys, { userId }: Owner, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHmac('sha256', keys.derive('recovery codes'))
      .update(`${userId}|${bare(code)}`)
      .digest(),
  );

const makeRecoveryCodes = (keys: Keys, owner: Owner) => {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  return { codes, hashes: codes.map((code) => recoveryHash(keys, owner, code)) };
};

/** Whether a role of the person demands a second factor. */
export async function isFactorRequired(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.userRole.count({ where: { userId, role: { requiresSecondFactor: true } } })) > 0;
}

export const findFactor = async (tx: Transaction, owner: Owner): Promise<SecondFactor | null> =>
  tx.secondFactor.findUnique({ where: where(owner) });

/**
 * Makes a key for an authenticator app; it counts when a code was confirmed.
 * @throws ProblemError `secondFactor.isOn`
 */
export async function beginFactor(
  tx: Transaction,
  keys: Keys,
  owner: Owner,
  named: { issuer: string; label: string },
): Promise<{ key: string; address: string }> {
  const before = await findFactor(tx, owner);
  if (before?.appConfirmedAt) throw problem('secondFactor.isOn');
  const key = generateSecret();
  const { subscriberId, userId } = owner;
  const secretId = await keepSecret(tx, keys, { subscriberId, purpose, text: key, id: before?.secretId ?? undefined });
  await tx.secondFactor.upsert({
    where: where(owner),
    create: { subscriberId, userId, secretId },
    update: { secretId },
    select: { userId: true },
  });
  return { key, address: generateURI({ ...named, secret: key }) };
}

/**
 * Switches the app on by a code of it. Resolves to the recovery codes, which replace those that passkeys had.
 * @throws ProblemError `secondFactor.notBegun`, `secondFactor.isOn`, `secondFactor.codeWrong`
 */
export async function confirmFactor(tx: Transaction, keys: Keys, owner: Owner, code: string): Promise<string[]> {
  const factor = await findFactor(tx, owner);
  if (!factor?.secretId) throw problem('secondFactor.notBegun');
  if (factor.appConfirmedAt) throw problem('secondFactor.isOn');
  const { subscriberId, userId } = owner;
  const step = stepOf(await revealSecret(tx, keys, { subscriberId, id: factor.secretId, purpose }), bare(code));
  if (step === null) throw problem('secondFactor.codeWrong', {}, 'code');
  const { codes, hashes } = makeRecoveryCodes(keys, owner);
  // Unless it was confirmed in another tab meanwhile: the codes shown there are those that count.
  const { count } = await tx.secondFactor.updateMany({
    where: { subscriberId, userId, appConfirmedAt: null },
    data: {
      confirmedAt: factor.confirmedAt ?? new Date(),
      appConfirmedAt: new Date(),
      lastStep: step,
      recoveryHashes: hashes,
    },
  });
  if (count === 0) throw problem('secondFactor.isOn');
  return codes;
}

/**
 * Takes a code: of the app, each time step once, or a recovery code, each once. Null = it does not count.
 * In one statement each, so that of two requests with the same code one is refused.
 */
export async function takeCode(
  tx: Transaction,
  keys: Keys,
  owner: Owner,
  given: string,
): Promise<'app' | 'recoveryCode' | null> {
  const factor = await findFactor(tx, owner);
  if (!factor?.confirmedAt) return null;
  const { subscriberId, userId } = owner;
  const code = bare(given);
  const id = factor.appConfirmedAt && factor.secretId;
  const step = id ? stepOf(await revealSecret(tx, keys, { subscriberId, id, purpose }), code) : null;
  if (step !== null) {
    const taken = await tx.secondFactor.updateMany({
      where: { subscriberId, userId, lastStep: { lt: step } },
      data: { lastStep: step },
    });
    return taken.count > 0 ? 'app' : null;
  }
  const hash = recoveryHash(keys, owner, code);
  const rows = await tx.$executeRaw`
    update second_factors set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
     where subscriber_id = ${subscriberId} and user_id = ${userId} and ${hash}::bytea = any (recovery_hashes)`;
  return rows > 0 ? 'recoveryCode' : null;
}

/** New recovery codes in place of those before. */
export async function renewRecoveryCodes(tx: Transaction, keys: Keys, owner: Owner): Promise<string[]> {
  const { codes, hashes } = makeRecoveryCodes(keys, owner);
  await tx.secondFactor.update({ where: where(owner), data: { recoveryHashes: hashes }, select: { userId: true } });
  return codes;
}

/** Lets passkeys alone be the second factor. Resolves to the recovery codes, or to null where there was one before. */
export async function confirmByPasskey(tx: Transaction, keys: Keys, owner: Owner): Promise<string[] | null> {
  if ((await findFactor(tx, owner))?.confirmedAt) return null;
  const { subscriberId, userId } = owner;
  const { codes, hashes } = makeRecoveryCodes(keys, owner);
  const on = { confirmedAt: new Date(), recoveryHashes: hashes };
  await tx.secondFactor.upsert({
    where: where(owner),
    create: { subscriberId, userId, ...on },
    update: on,
    select: { userId: true },
  });
  return codes;
}

/** Removes the second factor with its key and its passkeys. Resolves to whether there was one that counted. */
export async function removeFactor(tx: Transaction, owner: Owner): Promise<boolean> {
  const factor = await findFactor(tx, owner);
  if (!factor) return false;
  await tx.secondFactor.delete({ where: where(owner), select: { userId: true } });
  await tx.passkey.deleteMany({ where: { userId: owner.userId } });
  if (factor.secretId) await tx.secret.deleteMany({ where: { id: factor.secretId, purpose } });
  return factor.confirmedAt !== null;
}
