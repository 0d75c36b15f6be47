import {
  type AuditAct,
  type HostPermission,
  type HostSubscriberDetails,
  problem,
  routes,
  systemSettingsSchema,
} from '@pdf2press/contract';
import { type Transaction, toJson } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadBody } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { sendList } from '../frame/csv.ts';
import { pageWindow, uniquely } from '../frame/rows.ts';
import { createAdministrator, createSubscriber } from '../setup/subscribers.ts';
import { sendActivation } from '../users/activation.ts';
import { subscriberColumns } from './csv.ts';
import { listSubscribers, readSubscriber, readWindow } from './read-subscribers.ts';

type Body = ReadBody<typeof routes.host.update>;

const factsOf = ({ name, plan, features, isActive }: HostSubscriberDetails) => ({
  name,
  isActive,
  plan: toJson(plan),
  features: [...features],
});

/** Written for both to read: the subscriber that it was done to, and the one of who did it. */
async function auditBoth(
  tx: Transaction,
  request: FastifyRequest,
  {
    act,
    caller,
    before,
    after,
  }: { act: AuditAct; caller: Caller; before?: HostSubscriberDetails; after: HostSubscriberDetails },
): Promise<void> {
  // Always in the same order: each chain makes other writers wait.
  for (const subscriberId of [...new Set([after.id, caller.subscriberId])].sort())
    await audit(tx, request, {
      act,
      object: after.id,
      subscriberId,
      ...(before && { before: factsOf(before) }),
      after: factsOf(after),
    });
}

function demandHost(caller: Caller, permission: HostPermission): void {
  if (!caller.hostPermissions.has(permission)) throw problem('access.denied', { permission });
}

async function setFeatures(tx: Transaction, subscriberId: string, features: Body['features']): Promise<void> {
  await tx.feature.deleteMany({ where: { subscriberId, featureKey: { notIn: [...features] } } });
  await tx.feature.createMany({
    data: features.map((featureKey) => ({ subscriberId, featureKey })),
    skipDuplicates: true,
  });
}

async function createOne(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  { name, plan, features, administrator }: ReadBody<typeof routes.host.create>,
): Promise<HostSubscriberDetails & { activationLink: string | null }> {
  return uniquely(administrator.email, 'administrator.email', () =>
    deps.db.asHost(async (tx) => {
      const subscriberId = await createSubscriber(tx, name);
      await tx.subscriber.update({ where: { id: subscriberId }, data: { plan: toJson(plan) }, select: { id: true } });
      await setFeatures(tx, subscriberId, features);
      const userId = await createAdministrator(tx, { subscriberId, passwordHash: null, ...administrator });
      const settings = systemSettingsSchema.parse({ id: '', subscriberId });
      const activationLink = await sendActivation(tx, deps, settings, { ...administrator, id: userId, subscriberId });
      const made = await readSubscriber(tx, caller, subscriberId);
      await auditBoth(tx, request, { act: 'subscriber.create', caller, after: made });
      return { ...made, activationLink };
    }),
  );
}

/** Changes one subscriber and reads it again, all in one transaction with its audit. */
async function change(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  {
    id,
    act,
    work,
  }: { id: string; act: AuditAct; work: (tx: Transaction, before: HostSubscriberDetails) => Promise<unknown> },
): Promise<HostSubscriberDetails> {
  const after = await deps.db.asHost(async (tx) => {
    await tx.$queryRaw`select 1 from subscribers where id = ${id} for update`;
    const before = await readSubscriber(tx, caller, id);
    await work(tx, before);
    const changed = await readSubscriber(tx, caller, id);
    await auditBoth(tx, request, { act, caller, before, after: changed });
    return changed;
  });
  deps.callers.forget();
  return after;
}

const hasOthers = (one: readonly string[], other: readonly string[]): boolean =>
  one.length !== other.length || one.some((key) => !other.includes(key));

/** The area of who administers the installation. */
export function bindHost(bind: Bind, deps: ApiDeps): void {
  const { host } = routes;
  bind(host.list, async ({ caller, query }) => {
    const { items, total } = await deps.db.asHost((tx) => listSubscribers(tx, caller, query));
    return { items, total, page: query.page, pageSize: query.pageSize };
  });

  bind(host.export, ({ caller, reply, query }) =>
    sendList(reply, {
      name: 'companies',
      columns: subscriberColumns,
      read: (page) => deps.db.asHost((tx) => readWindow(tx, caller, query, pageWindow(page))),
    }),
  );

  bind(host.get, ({ caller, params }) => deps.db.asHost((tx) => readSubscriber(tx, caller, params.id)));
  bind(host.create, ({ caller, request, body }) => createOne(deps, caller, request, body));

  bind(host.update, ({ caller, request, params: { id }, body: { name, plan, features } }) =>
    change(deps, caller, request, {
      id,
      act: 'subscriber.update',
      work: async (tx, before) => {
        if (hasOthers(before.features, features)) demandHost(caller, 'host.features.manage');
        await tx.subscriber.update({ where: { id }, data: { name, plan: toJson(plan) }, select: { id: true } });
        await setFeatures(tx, id, features);
      },
    }),
  );

  const setActive = (isActive: boolean, act: AuditAct) => (caller: Caller, request: FastifyRequest, id: string) =>
    change(deps, caller, request, {
      id,
      act,
      work: async (tx, before) => {
        // Whoever suspends the own subscriber could not resume it.
        if (before.isOwn) throw problem('host.ownSubscriber');
        await tx.subscriber.update({ where: { id }, data: { isActive }, select: { id: true } });
      },
    });
  const suspend = setActive(false, 'subscriber.suspend');
  const resume = setActive(true, 'subscriber.resume');
  bind(host.suspend, ({ caller, request, params }) => suspend(caller, request, params.id));
  bind(host.resume, ({ caller, request, params }) => resume(caller, request, params.id));
}
