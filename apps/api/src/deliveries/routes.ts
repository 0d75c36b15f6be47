import {
  contractMessages,
  type DeliveryKind,
  type ErrorParams,
  type Locale,
  problem,
  routes,
  type SessionDelivery,
  sentence,
} from '@pdf2press/contract';
import { resendDelivery } from '@pdf2press/engine';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import { deliveryAnswerSchema, deliveryRequestSchema } from '@pdf2press/steps/contracts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';

type EffectRow = Prisma.EffectGetPayload<true>;
type Targets = ReadonlyMap<string, NonNullable<SessionDelivery['target']>>;

/** A session with more deliveries shows the newest. */
const mostShown = 500;

const states = { Pending: 'Waiting', Sending: 'Waiting', Done: 'Delivered', Dead: 'GivenUp' } as const;

/** Targets by their ids, also those that were deleted since. */
async function readTargets(tx: Transaction, ids: readonly string[]): Promise<Targets> {
  const profiles = await tx.profile.findMany({ where: { id: { in: [...ids] }, kind: 'delivery' } });
  const newest = profiles.map(({ id, currentNo }) => ({ profileId: id, no: currentNo }));
  const versions = newest.length > 0 ? await tx.profileVersion.findMany({ where: { OR: newest } }) : [];
  const kinds = new Map(
    versions.map(({ profileId, settings }) => [profileId, storedAs<{ kind: DeliveryKind }>(settings).kind]),
  );
  return new Map(
    profiles.flatMap(({ id, name }) => {
      const kind = kinds.get(id);
      return kind ? [[id, { id, name, kind }] as const] : [];
    }),
  );
}

function deliveryOf(row: EffectRow, targets: Targets, locale: Locale): SessionDelivery {
  const { file, name, folder, targetId, runNo } = deliveryRequestSchema.parse(row.payload);
  const answer = deliveryAnswerSchema.safeParse(row.answer).data;
  const isDone = row.state === 'Done';
  const isWaiting = row.state === 'Pending' && row.attempt > 0;
  return {
    id: row.id,
    runNo,
    fileName: [...folder, name].join('/'),
    sizeBytes: file.size,
    target: targets.get(targetId) ?? null,
    state: states[row.state],
    address: isDone && answer && 'address' in answer ? answer.address : null,
    tries: row.attempt,
    createdAt: row.createdAt.toISOString(),
    deliveredAt: row.doneAt?.toISOString() ?? null,
    nextTryAt: isWaiting ? row.nextAt.toISOString() : null,
    problem:
      !isDone && answer && 'code' in answer
        ? {
            code: answer.code,
            message: sentence(contractMessages, locale, answer.code, answer.params as ErrorParams).trim(),
          }
        : null,
  };
}

async function readDeliveries(tx: Transaction, sessionId: string, locale: Locale): Promise<SessionDelivery[]> {
  // Whoever may not see the session finds none.
  found(await tx.session.findFirst({ where: { id: sessionId, deletedAt: null }, select: { id: true } }));
  const rows = await tx.effect.findMany({
    where: { sessionId, kind: 'delivery' },
    orderBy: [{ createdAt: 'desc' }, { key: 'asc' }],
    take: mostShown,
  });
  const ids = rows.map(({ payload }) => deliveryRequestSchema.parse(payload).targetId);
  const targets = await readTargets(tx, [...new Set(ids)]);
  return rows.map((row) => deliveryOf(row, targets, locale));
}

/** Files of a session that go to other places. */
export function bindDeliveries(bind: Bind, deps: ApiDeps): void {
  bind(routes.deliveries.ofSession, ({ caller, request, params }) =>
    asCaller(deps, caller, (tx) => readDeliveries(tx, params.id, localeOf(request))),
  );

  bind(routes.deliveries.resend, ({ caller, request, params: { id, deliveryId } }) =>
    asCaller(deps, caller, async (tx) => {
      const known = await readDeliveries(tx, id, localeOf(request));
      found(known.find((delivery) => delivery.id === deliveryId) ?? null);
      if (!(await resendDelivery(tx, { sessionId: id, id: deliveryId }))) throw problem('resource.conflict');
      await audit(tx, request, { act: 'session.deliverAgain', object: id, after: { deliveryId } });
      return readDeliveries(tx, id, localeOf(request));
    }),
  );
}
