import {
  type FeatureKey,
  featureKeys,
  type HostSort,
  type HostState,
  type HostSubscriber,
  type HostSubscriberDetails,
  subscriberPlanSchema,
  type Usage,
} from '@pdf2press/contract';
import { readOverage, readUsage } from '@pdf2press/engine';
import type { Prisma, Transaction } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';
import { found, pageWindow } from '../frame/rows.ts';

const nothing = { sessionsPerMonth: 0, storageBytes: 0, users: 0 };

const featuresOf = (rows: readonly { featureKey: string }[]): FeatureKey[] =>
  featureKeys.filter((key) => rows.some(({ featureKey }) => featureKey === key));

async function readMatching(
  tx: Transaction,
  caller: Caller,
  find: Pick<Prisma.SubscriberFindManyArgs, 'where' | 'orderBy' | 'skip' | 'take'>,
): Promise<HostSubscriber[]> {
  const rows = await tx.subscriber.findMany({ ...find, include: { features: true } });
  const usage = await readUsage(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, isActive, createdAt, features, plan }) => ({
    id,
    name,
    isActive,
    isOwn: id === caller.subscriberId,
    createdAt: createdAt.toISOString(),
    features: featuresOf(features),
    plan: subscriberPlanSchema.parse(plan),
    usage: usage.get(id) ?? nothing,
  }));
}

/** What the database itself sorts by; the others are counted. */
const orders: Partial<Record<HostSort, (direction: Prisma.SortOrder) => Prisma.SubscriberOrderByWithRelationInput>> = {
  name: (name) => ({ name }),
  // As a word each: the active ones stand first.
  state: (direction) => ({ isActive: direction === 'asc' ? 'desc' : 'asc' }),
  createdAt: (createdAt) => ({ createdAt }),
};
const isCounted = (sort: HostSort): sort is HostSort & keyof Usage => orders[sort] === undefined;

interface Asked {
  search?: string | undefined;
  states?: HostState[] | undefined;
  sort: HostSort;
  direction: Prisma.SortOrder;
}

const matching = ({ search, states }: Asked): Prisma.SubscriberWhereInput => ({
  ...(search && { name: { contains: search, mode: 'insensitive' } }),
  ...(states && { OR: states.map((state) => ({ isActive: state === 'active' })) }),
});

/** Ids by what is used of a quota. An installation has hundreds of subscribers, so all of them are counted. */
async function idsByUsage(
  tx: Transaction,
  asked: Asked & { sort: keyof Usage },
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const rows = await tx.subscriber.findMany({ where: matching(asked), select: { id: true }, orderBy: { id: 'asc' } });
  const usage = await readUsage(
    tx,
    rows.map(({ id }) => id),
  );
  const sign = asked.direction === 'asc' ? 1 : -1;
  const used = (id: string): number => usage.get(id)?.[asked.sort] ?? 0;
  const sorted = rows.map(({ id }) => id).sort((one, other) => sign * (used(one) - used(other)));
  return sorted.slice(skip, skip + take);
}

/** Some of the subscribers that are asked for, in their order. The transaction is the host's, as for all of this file. */
export async function readWindow(
  tx: Transaction,
  caller: Caller,
  asked: Asked,
  window: { skip: number; take: number },
): Promise<HostSubscriber[]> {
  const { sort } = asked;
  if (isCounted(sort)) {
    const ids = await idsByUsage(tx, { ...asked, sort }, window);
    const read = await readMatching(tx, caller, { where: { id: { in: ids } } });
    return ids.flatMap((id) => read.find((one) => one.id === id) ?? []);
  }
  const order = orders[sort]?.(asked.direction) ?? {};
  return readMatching(tx, caller, {
    where: matching(asked),
    orderBy: [order, { name: 'asc' }, { id: 'asc' }],
    ...window,
  });
}

/** A page of the subscribers that are asked for. */
export async function listSubscribers(
  tx: Transaction,
  caller: Caller,
  query: Asked & { page: number; pageSize: number },
): Promise<{ items: HostSubscriber[]; total: number }> {
  return {
    items: await readWindow(tx, caller, query, pageWindow(query)),
    total: await tx.subscriber.count({ where: matching(query) }),
  };
}

/** One subscriber. @throws ProblemError `resource.notFound` */
export async function readSubscriber(tx: Transaction, caller: Caller, id: string): Promise<HostSubscriberDetails> {
  const [subscriber] = await readMatching(tx, caller, { where: { id } });
  return { ...found(subscriber), overage: await readOverage(tx, id) };
}
