/* Passkeys as a second factor: WebAuthn, verified for the address of this installation. */
import { createHmac } from 'node:crypto';
import { mostPasskeys, problem } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { ApiDeps } from '../deps.ts';

interface Owner {
  subscriberId: string;
  userId: string;
}

/** What a browser made, as far as the contract has read it; the library reads the rest. */
export interface PasskeyAnswer {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Record<string, unknown>;
}

/** The address that passkeys are bound to: they serve no other site. */
const siteOf = ({ env }: ApiDeps): { origin: string; host: string } => {
  const { origin, hostname } = new URL(env.publicUrl);
  return { origin, host: hostname };
};

/** What is signed follows from the token, which counts once: nothing else needs to be stored. */
const challengeOf = ({ keys }: ApiDeps, token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', keys.derive('passkey challenge')).update(token).digest());

const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const credentialsOf = async (tx: Transaction, userId: string) => {
  const rows = await tx.passkey.findMany({ where: { userId }, orderBy: { id: 'asc' } });
  return rows.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: transports as AuthenticatorTransport[],
  }));
};

/** What a browser is asked to make a passkey with. @throws ProblemError `passkey.tooMany` */
export async function optionsToAdd(
  tx: Transaction,
  deps: ApiDeps,
  { userId, token, email, name }: { userId: string; token: string; email: string; name: string },
): Promise<Record<string, unknown>> {
  const known = await credentialsOf(tx, userId);
  if (known.length >= mostPasskeys) throw problem('passkey.tooMany', { max: mostPasskeys });
  const options = await generateRegistrationOptions({
    rpName: deps.env.title,
    rpID: siteOf(deps).host,
    userID: new Uint8Array(Buffer.from(userId)),
    userName: email,
    userDisplayName: name,
    challenge: challengeOf(deps, token),
    attestationType: 'none',
    excludeCredentials: known,
    // It stands beside the password: the authenticator needs to keep no account, and to ask who holds it where it can.
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  return { ...options };
}

/** Keeps what a browser made of it. @throws ProblemError `passkey.refused` */
export async function keepPasskey(
  tx: Transaction,
  deps: ApiDeps,
  { userId }: Owner,
  { token, name, answer }: { token: string; name: string; answer: PasskeyAnswer },
): Promise<void> {
  const { origin, host } = siteOf(deps);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: asText(challengeOf(deps, token)),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: false,
    });
    if (!verified) throw problem('passkey.refused');
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    await tx.passkey.create({
      data: { id: newId('passkey'), userId, name, credentialId, publicKey, counter: BigInt(counter), transports },
      select: { id: true },
    });
  } catch (error) {
    deps.log.info({ err: error }, 'a passkey was refused');
    throw problem('passkey.refused');
  }
}

/** What a browser is asked for one of a person's passkeys with. */
export async function optionsToUse(
  tx: Transaction,
  deps: ApiDeps,
  userId: string,
  token: string,
): Promise<Record<string, unknown>> {
  const options = await generateAuthenticationOptions({
    rpID: siteOf(deps).host,
    challenge: challengeOf(deps, token),
    allowCredentials: await credentialsOf(tx, userId),
    userVerification: 'preferred',
  });
  return { ...options };
}

/** Takes the answer of a passkey, which counts for this token alone. Null = it does not count. */
export async function takePasskey(
  tx: Transaction,
  deps: ApiDeps,
  { userId }: Owner,
  { token, answer }: { token: string; answer: PasskeyAnswer },
): Promise<'passkey' | null> {
  const row = await tx.passkey.findFirst({ where: { userId, credentialId: answer.id } });
  if (!row) return null;
  const { origin, host } = siteOf(deps);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: asText(challengeOf(deps, token)),
      expectedOrigin: origin,
      expectedRPID: host,
      credential: { id: row.credentialId, publicKey: row.publicKey, counter: Number(row.counter) },
      requireUserVerification: false,
    });
    if (!verified) return null;
    const { id, counter } = row;
    // Of two requests with the same answer one finds the counter moved on, where the authenticator counts.
    const { count } = await tx.passkey.updateMany({
      where: { id, counter },
      data: { counter: BigInt(authenticationInfo.newCounter), lastUsedAt: new Date() },
    });
    return count > 0 ? 'passkey' : null;
  } catch (error) {
    deps.log.info({ err: error }, 'a passkey was not accepted');
    return null;
  }
}
