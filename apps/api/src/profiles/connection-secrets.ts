import {
  archivingSecretSchema,
  type CloudProvider,
  cloudProviders,
  mailServices,
  type ProfileKind,
  storedSecretMark,
} from '@pdf2press/contract';
import { deliveryContractOf } from '@pdf2press/deliveries/contracts';
import { archivingKeysPurpose, connectionSecretPurpose, deliverySecretPurpose, enqueueEffect } from '@pdf2press/engine';
import { keepSecret, revealSecret } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import { sftpDestination, sftpSecretSchema } from '@pdf2press/sftp/server';
import { mailProvider } from '@pdf2press/sources/contracts';
import { canWithdraw } from '@pdf2press/sources/sign-in';
import { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import { InvalidRequestError } from '../frame/read-part.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What a kind of profile keeps encrypted beside its settings. */
interface SecretRules {
  purpose: string;
  /** Texts by the names under which the form sends them. */
  schema: z.ZodObject;
  /** Settings that say who is given the secret; a stored one is not sent to another server or in clear text. */
  destination: readonly string[];
  /** Settings that are encrypted with the texts, because one is no use without the other. */
  beside?: readonly string[];
  /** Of another place another secret is kept: what was brought to the old one is fetched from there with the old one. */
  place?: readonly string[];
}

const mailbox: SecretRules = {
  purpose: connectionSecretPurpose,
  schema: z.object({ password: z.string().min(1).max(1000) }),
  destination: ['host', 'port', 'security', 'ignoreSslWarnings', 'username'],
};

const sftpServer: SecretRules = {
  purpose: connectionSecretPurpose,
  schema: sftpSecretSchema,
  destination: sftpDestination,
};

const archiving: SecretRules = {
  purpose: archivingKeysPurpose,
  schema: archivingSecretSchema,
  destination: ['accessKey'],
  beside: ['accessKey'],
  place: ['bucketName'],
};

const rulesOf: Partial<Record<ProfileKind, (settings: Settings) => SecretRules | undefined>> = {
  inboundEmail: ({ signInWith = 'password' }) => (signInWith === 'password' ? mailbox : undefined),
  sftpServer: () => sftpServer,
  archiving: ({ accessKey }) => (accessKey ? archiving : undefined),
  delivery: (settings) => {
    const contract = deliveryContractOf(settings);
    if (!contract || Object.keys(contract.secret.shape).length === 0) return undefined;
    return { purpose: deliverySecretPurpose, schema: contract.secret, destination: ['kind', ...contract.destination] };
  },
};

/** What is stored of a kind beside what its form sends, and the settings that it belongs to. */
const keptOf: Partial<Record<ProfileKind, { names: readonly string[]; destination: readonly string[] }>> = {
  cloudStorage: { names: ['secretId', 'account'], destination: ['provider'] },
  inboundEmail: { names: ['secretId', 'account'], destination: ['signInWith', ...mailbox.destination] },
};

/** Where the grant of a connection is sent, in one text: of another place it is another connection. */
export const consentTarget = (kind: ProfileKind, settings: Settings): string =>
  JSON.stringify(keptOf[kind]?.destination.map((name) => settings[name] ?? null));

/** What somebody has connected stays connected, unless it is to be another service: then its grant is forgotten. */
async function keptSettings(tx: Transaction, { kind, settings, stored }: Given): Promise<Record<string, unknown>> {
  const kept = keptOf[kind];
  if (!kept || !stored) return {};
  if (consentTarget(kind, settings) !== consentTarget(kind, stored)) {
    await forgetSecret(tx, kind, stored);
    return {};
  }
  return Object.fromEntries(
    kept.names.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]),
  );
}

/** The service that a connection has the consent of an account at. */
function providerOf({ provider, signInWith }: Settings): CloudProvider | undefined {
  const service = mailServices.find((one) => one === signInWith);
  return service ? mailProvider(service) : cloudProviders.find((one) => one === provider);
}

/**
 * Ends the consent that somebody gave a connection at a service: withdrawn there by an effect, which then removes the grant, or only
 * removed where the service offers no more. A password stays with the versions that name it.
 */
export async function forgetSecret(tx: Transaction, kind: ProfileKind, stored: Settings): Promise<void> {
  const { secretId } = stored;
  if (!keptOf[kind] || rulesOf[kind]?.(stored) || typeof secretId !== 'string') return;
  const provider = providerOf(stored);
  if (provider && canWithdraw(provider))
    await enqueueEffect(tx, { kind: 'consentEnd', key: `consentEnd ${secretId}`, payload: { secretId, provider } });
  else await tx.secret.deleteMany({ where: { id: secretId, purpose: connectionSecretPurpose } });
}

const namesOf = ({ schema }: SecretRules): string[] => Object.keys(schema.shape);

/** The names of the texts that are stored; of connections made before there were several, all. */
const storedNames = (rules: SecretRules, stored: Settings): readonly unknown[] =>
  typeof stored.secretId !== 'string' ? [] : Array.isArray(stored.secretNames) ? stored.secretNames : namesOf(rules);

const areSame = (names: readonly string[], one: Settings, other: Settings): boolean =>
  names.every((name) => one[name] === other[name]);

/** Stored settings as they are sent out: instead of each secret there is a placeholder, never its id or its text. */
export function withSecretMarks(kind: ProfileKind, settings: Settings, stored: Settings): Record<string, unknown> {
  const rules = rulesOf[kind]?.(settings);
  if (!rules) return { ...settings };
  const names = storedNames(rules, stored);
  const marks = namesOf(rules).map((name) => [name, names.includes(name) ? storedSecretMark : '']);
  return { ...settings, ...Object.fromEntries(marks) };
}

interface Given {
  kind: ProfileKind;
  subscriberId: string;
  /** As it was sent. */
  given: Settings;
  /** As its schema reads it. */
  settings: Settings;
  stored?: Settings | undefined;
}

const needed = (name: string) => new InvalidRequestError([{ code: 'value.required', field: `settings.${name}` }], 422);

async function reveal(tx: Transaction, deps: ApiDeps, { purpose }: SecretRules, { subscriberId, stored }: Given) {
  const id = String(stored?.secretId);
  return JSON.parse(await revealSecret(tx, deps.keys, { subscriberId, id, purpose })) as Record<string, string>;
}

/** The texts that were sent, with the stored ones where a placeholder for them was sent. */
async function readGiven(
  tx: Transaction,
  deps: ApiDeps,
  rules: SecretRules,
  about: Given,
): Promise<Record<string, unknown>> {
  const { kind, given, settings, stored } = about;
  const asked = namesOf(rules).filter((name) => given[name] === storedSecretMark);
  const [first] = asked;
  const isKept = stored && rulesOf[kind]?.(stored) && areSame(rules.destination, settings, stored);
  if (first !== undefined && !isKept) throw needed(first);
  const missing = asked.find((name) => !stored || !storedNames(rules, stored).includes(name));
  if (missing !== undefined) throw needed(missing);
  const before = asked.length > 0 ? await reveal(tx, deps, rules, about) : {};
  const texts = namesOf(rules).map((name) => [name, asked.includes(name) ? before[name] : (given[name] ?? '')]);
  const read = rules.schema.safeParse(Object.fromEntries(texts));
  if (!read.success) throw needed(String(read.error.issues[0]?.path[0] ?? namesOf(rules)[0]));
  return read.data;
}

/**
 * Settings as they are stored: the secrets encrypted elsewhere, and the id of that. A placeholder keeps the stored one.
 * @throws InvalidRequestError 422 `value.required` where a secret is missing, or the stored one would go to another server
 */
export async function withSecretId(tx: Transaction, deps: ApiDeps, about: Given): Promise<Record<string, unknown>> {
  const { kind, subscriberId, settings, stored } = about;
  const rules = rulesOf[kind]?.(settings);
  if (!rules) return { ...settings, ...(await keptSettings(tx, about)) };
  const secret = await readGiven(tx, deps, rules, about);
  const { purpose, beside = [], place = [] } = rules;
  // Of another kind of target the stored secret means nothing.
  const isSame = stored !== undefined && areSame(['kind', ...place], stored, settings);
  const id = isSame && typeof stored.secretId === 'string' ? stored.secretId : undefined;
  const text = JSON.stringify({ ...secret, ...Object.fromEntries(beside.map((name) => [name, settings[name]])) });
  const secretId = await keepSecret(tx, deps.keys, { subscriberId, purpose, text, id });
  return { ...settings, secretId, secretNames: namesOf(rules).filter((name) => secret[name] !== '') };
}

/** The secrets to try a connection with: those sent, or the stored ones where placeholders were sent. */
export async function secretToTry(tx: Transaction, deps: ApiDeps, about: Given): Promise<Record<string, unknown>> {
  const rules = rulesOf[about.kind]?.(about.settings);
  return rules ? readGiven(tx, deps, rules, about) : {};
}
