import {
  embeddablePermissions,
  type FeatureKey,
  featureKeys,
  type HostPermission,
  hostPermissions,
  nearestLocale,
  type Permission,
  permissions,
  personName,
} from '@pdf2press/contract';
import type { Database, Prisma, Transaction } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';
import { hashOf } from './tokens.ts';

/** Sign-out, a switched-off account and changed roles take effect within this time. */
const freshMs = 5000;
const bound = 5000;

const knownPermissions = new Set<string>(permissions);
const knownFeatures = new Set<string>(featureKeys);
const isPermission = (name: string): name is Permission => knownPermissions.has(name);
const isFeature = (name: string): name is FeatureKey => knownFeatures.has(name);

/** Ids of the people who administer the installation. The transaction must be the host's. */
export async function hostAdministrators(tx: Transaction): Promise<ReadonlySet<unknown>> {
  const fact = await tx.hostFact.findUnique({ where: { key: 'host.administrators' } });
  return new Set(Array.isArray(fact?.value) ? fact.value : []);
}

/** Host permissions of a person: all of them for the host's administrators, none for others. */
export async function hostPermissionsOf(tx: Transaction, userId: string): Promise<ReadonlySet<HostPermission>> {
  return new Set((await hostAdministrators(tx)).has(userId) ? hostPermissions : []);
}

async function featuresOf(tx: Transaction, subscriberId: string): Promise<ReadonlySet<FeatureKey>> {
  const rows = await tx.feature.findMany({ where: { subscriberId } });
  return new Set(rows.map((row) => row.featureKey).filter(isFeature));
}

/** The person of a signed-in session, or null when the session, the person or the subscriber is no more. */
async function userOf(tx: Transaction, userSessionId: string): Promise<Caller | null> {
  const session = await tx.userSession.findUnique({
    where: { id: userSessionId },
    include: {
      user: { include: { userRoles: { include: { role: true } }, userOrganizations: true, secondFactor: true } },
      subscriber: true,
    },
  });
  if (!session || session.revokedAt || session.absoluteExpiresAt < new Date()) return null;
  const { user } = session;
  if (!user.isActive || user.deletedAt || !session.subscriber.isActive) return null;
  if (Date.now() - session.lastSeenAt.getTime() > 60_000)
    await tx.userSession.update({ where: { id: userSessionId }, data: { lastSeenAt: new Date() } });
  const granted = user.userRoles.flatMap(({ role }) => role.permissions).filter(isPermission);
  return {
    kind: 'user',
    id: user.id,
    userId: user.id,
    userSessionId,
    name: personName(user),
    email: user.email,
    locale: nearestLocale(user.locale),
    subscriberId: session.subscriberId,
    permissions: new Set(granted),
    hostPermissions: await hostPermissionsOf(tx, user.id),
    features: await featuresOf(tx, session.subscriberId),
    roleIds: user.userRoles.map(({ roleId }) => roleId),
    mustSetUpSecondFactor:
      !user.secondFactor?.confirmedAt && user.userRoles.some(({ role }) => role.requiresSecondFactor),
    ...(user.isOrganizationRestricted
      ? { organizationIds: user.userOrganizations.map((row) => row.organizationId) }
      : {}),
  };
}

const withMaker = {
  subscriber: true,
  createdBy: { include: { userRoles: { include: { role: true } }, userOrganizations: true } },
} as const satisfies Prisma.ApiKeyInclude & Prisma.EmbedTokenInclude;
type Granted = Prisma.ApiKeyGetPayload<{ include: typeof withMaker }>;

const isStale = (lastUsedAt: Date | null): boolean => !lastUsedAt || Date.now() - lastUsedAt.getTime() > 60_000;

/** The caller of a key or an embed token: has at most the permissions that its maker has now; null without the maker. */
async function grantedBy(
  tx: Transaction,
  kind: 'apiKey' | 'embed',
  row: Pick<
    Granted,
    'id' | 'name' | 'permissions' | 'subscriber' | 'subscriberId' | 'createdBy' | 'revokedAt' | 'expiresAt'
  > | null,
): Promise<Caller | null> {
  const maker = row?.createdBy;
  if (!row || row.revokedAt || (row.expiresAt && row.expiresAt < new Date()) || !row.subscriber.isActive) return null;
  if (!maker?.isActive || maker.deletedAt) return null;
  const makers = new Set(maker.userRoles.flatMap(({ role }) => role.permissions));
  return {
    kind,
    id: row.id,
    userId: maker.id,
    userSessionId: null,
    name: row.name,
    email: '',
    locale: nearestLocale(maker.locale),
    subscriberId: row.subscriberId,
    permissions: new Set(row.permissions.filter(isPermission).filter((permission) => makers.has(permission))),
    hostPermissions: new Set(),
    features: await featuresOf(tx, row.subscriberId),
    roleIds: [],
    mustSetUpSecondFactor: false,
    ...(maker.isOrganizationRestricted
      ? { organizationIds: maker.userOrganizations.map((own) => own.organizationId) }
      : {}),
  };
}

async function keyOf(tx: Transaction, where: Prisma.ApiKeyWhereUniqueInput): Promise<Caller | null> {
  const key = await tx.apiKey.findUnique({ where, include: withMaker });
  const caller = await grantedBy(tx, 'apiKey', key);
  if (caller && key && isStale(key.lastUsedAt))
    await tx.apiKey.update({ where: { id: key.id }, data: { lastUsedAt: new Date() } });
  return caller;
}

const embeddable = new Set(embeddablePermissions);

/** An embedded page. Permissions that embed tokens can no longer be given are taken from older tokens, too. */
async function embedOf(tx: Transaction, id: string): Promise<Caller | null> {
  const token = await tx.embedToken.findUnique({ where: { id }, include: withMaker });
  const caller = await grantedBy(tx, 'embed', token);
  if (caller && token && isStale(token.lastUsedAt))
    await tx.embedToken.update({ where: { id }, data: { lastUsedAt: new Date() } });
  const permissions = [...(caller?.permissions ?? [])].filter((permission) => embeddable.has(permission));
  return caller && { ...caller, permissions: new Set(permissions) };
}

export interface CallerCache {
  bySession(userSessionId: string): Promise<Caller | null>;
  byKey(text: string): Promise<Caller | null>;
  byEmbedToken(id: string): Promise<Caller | null>;
  /** The same caller as the rows have it now; null when the session, key or token is no more. */
  again(caller: Caller): Promise<Caller | null>;
  /** Drops everything known: after a change of roles, of an account or of a session in this process. */
  forget(): void;
}

/** Callers read once in five seconds; concurrent requests of one caller share the read. */
export function createCallerCache(db: Database): CallerCache {
  const known = new Map<string, { at: number; caller: Promise<Caller | null> }>();
  const remember = (key: string, read: (tx: Transaction) => Promise<Caller | null>) => {
    const cached = known.get(key);
    if (cached && Date.now() - cached.at < freshMs) return cached.caller;
    if (known.size >= bound) known.clear();
    const caller = db.asHost(read);
    known.set(key, { at: Date.now(), caller });
    caller.catch(() => known.delete(key)); // a failed read is not kept
    return caller;
  };
  const bySession = (id: string) => remember(id, (tx) => userOf(tx, id));
  const byEmbedToken = (id: string) => remember(`embed ${id}`, (tx) => embedOf(tx, id));
  return {
    bySession,
    byEmbedToken,
    byKey: (text) => {
      const hash = hashOf(text);
      return remember(`key ${Buffer.from(hash).toString('base64')}`, (tx) => keyOf(tx, { hash }));
    },
    again: ({ kind, id, userSessionId }) => {
      if (kind === 'embed') return byEmbedToken(id);
      if (kind === 'apiKey') return remember(`key id ${id}`, (tx) => keyOf(tx, { id }));
      return bySession(userSessionId ?? '');
    },
    forget: () => known.clear(),
  };
}
