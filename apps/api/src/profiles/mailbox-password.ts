import { type ProfileKind, storedSecretMark } from '@pdf2press/contract';
import { connectionSecretPurpose } from '@pdf2press/engine';
import { keepSecret, revealSecret } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { InvalidRequestError } from '../frame/read-part.ts';

type Settings = Readonly<Record<string, unknown>>;

const passwordNeeded = () => new InvalidRequestError([{ code: 'value.required', field: 'settings.password' }], 422);

/** Settings that say who is given the password; a stored one is not sent to another server or in clear text. */
const destination = ['host', 'port', 'security', 'ignoreSslWarnings', 'username'] as const;

const isSameDestination = (one: Settings, other: Settings): boolean =>
  destination.every((name) => one[name] === other[name]);

/** Stored settings as they are sent out: instead of the secret there is a placeholder, never its id or its text. */
export const withPasswordMark = (kind: ProfileKind, settings: Settings, stored: Settings): Record<string, unknown> =>
  kind === 'inboundEmail'
    ? { ...settings, password: typeof stored.secretId === 'string' ? storedSecretMark : '' }
    : { ...settings };

/**
 * Settings as they are stored: the password encrypted elsewhere, and its id. The placeholder keeps the stored one.
 * @throws InvalidRequestError 422 `value.required` without a password, or where the stored one would go to another server
 */
export async function withSecretId(
  tx: Transaction,
  deps: ApiDeps,
  {
    kind,
    subscriberId,
    given,
    settings,
    stored,
  }: {
    kind: ProfileKind;
    subscriberId: string;
    /** As it was sent. */
    given: Settings;
    /** As its schema reads it. */
    settings: Settings;
    stored?: Settings | undefined;
  },
): Promise<Record<string, unknown>> {
  if (kind !== 'inboundEmail') return { ...settings };
  const { password } = given;
  const id = typeof stored?.secretId === 'string' ? stored.secretId : undefined;
  if (password === storedSecretMark) {
    if (!stored || !id || !isSameDestination(settings, stored)) throw passwordNeeded();
    return { ...settings, secretId: id };
  }
  if (typeof password !== 'string' || password === '' || password.length > 1000) throw passwordNeeded();
  const text = JSON.stringify({ password });
  return {
    ...settings,
    secretId: await keepSecret(tx, deps.keys, { subscriberId, purpose: connectionSecretPurpose, text, id }),
  };
}

/** The password to try a connection with: the one sent, or the stored one where the placeholder was sent. */
export async function passwordToTry(
  tx: Transaction,
  deps: ApiDeps,
  {
    subscriberId,
    given,
    settings,
    stored,
  }: { subscriberId: string; given: Settings; settings: Settings; stored?: Settings },
): Promise<string> {
  const { password } = given;
  if (password !== storedSecretMark) {
    if (typeof password !== 'string' || password === '') throw passwordNeeded();
    return password;
  }
  if (typeof stored?.secretId !== 'string' || !isSameDestination(settings, stored)) throw passwordNeeded();
  const purpose = connectionSecretPurpose;
  const text = await revealSecret(tx, deps.keys, { subscriberId, id: stored.secretId, purpose });
  return (JSON.parse(text) as { password: string }).password;
}
