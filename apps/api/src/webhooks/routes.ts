import {
  type Locale,
  mostWebhooks,
  problem,
  type RouteResult,
  routes,
  type Webhook,
  type WebhookCall,
} from '@pdf2press/contract';
import { actionSecretPurpose, callOnce, effectContracts, retryEffect } from '@pdf2press/engine';
import { keepSecret, revealSecret } from '@pdf2press/engine/secrets';
import { newId, Prisma, type Transaction } from '@pdf2press/prisma';
import { randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { localeOf } from '../frame/errors.ts';
import { found, pageWindow } from '../frame/rows.ts';
import { inOrder } from '../frame/sorted-page.ts';
import { callProblem } from './call-problem.ts';
import { webhookCallColumns } from './csv.ts';

type Row = Prisma.WebhookGetPayload<object>;
type EffectRow = Prisma.EffectGetPayload<object>;

/** So many calls are listed, the newest first. */
const most = 100;

const webhookOf = (row: Row): Webhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: row.events as Webhook['events'],
  isOn: row.isOn,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  failures: row.failures,
  failingSince: row.failingSince?.toISOString() ?? null,
  oldSecretUntil: row.oldSecretUntil && row.oldSecretUntil > new Date() ? row.oldSecretUntil.toISOString() : null,
  createdAt: row.createdAt.toISOString(),
});

const callStates = { Pending: 'waiting', Sending: 'waiting', Done: 'taken', Dead: 'failed' } as const;

function callOf(row: EffectRow, locale: Locale): WebhookCall[] {
  const { told, url } = effectContracts.webhook.payload.parse(row.payload);
  if (!told) return [];
  return [
    {
      id: row.id,
      event: told.event,
      sessionId: row.sessionId,
      subject: told.subject,
      state: callStates[row.state],
      tries: row.attempt,
      createdAt: row.createdAt.toISOString(),
      takenAt: row.doneAt?.toISOString() ?? null,
      nextTryAt: row.state === 'Pending' && row.nextAt > new Date() ? row.nextAt.toISOString() : null,
      status: row.remoteRef === null ? null : Number(row.remoteRef),
      lastError: callProblem(row.lastError, url, locale),
    },
  ];
}

const newSecret = (): string => `p2w_${randomToken()}`;

/** Their number is counted and added to by one caller at a time. */
async function demandRoom(tx: Transaction): Promise<void> {
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('webhooks ' || current_subscriber(), 0))::text`;
  if ((await tx.webhook.count()) >= mostWebhooks) throw problem('webhook.tooMany', { most: mostWebhooks });
}

/** The row, which nobody else changes until the transaction ends. */
async function lockWebhook(tx: Transaction, id: string): Promise<Row> {
  await tx.$queryRaw`select id from webhooks where id = ${id} for update`;
  return found(await tx.webhook.findUnique({ where: { id } }));
}

/** Whether a row of `effects` is a call of a webhook, in the words of the index `effects_of_webhook`. */
const isCallOf = (id: string): Prisma.Sql =>
  Prisma.sql`kind = 'webhook' and payload ? 'webhookId' and payload ->> 'webhookId' = ${id}`;

/** What of a webhook is written into the audit. */
const seen = ({ name, url, events, isOn }: Pick<Row, 'name' | 'url' | 'events' | 'isOn'>) => ({
  name,
  url,
  events,
  isOn,
});

/** The addresses that are called about events of every session, their secrets, and their calls. */
export function bindWebhooks(bind: Bind, deps: ApiDeps): void {
  const { webhooks } = routes;
  const keep = (tx: Transaction, subscriberId: string, text: string) =>
    keepSecret(tx, deps.keys, { subscriberId, purpose: actionSecretPurpose, text });

  bind(webhooks.list, ({ caller }) =>
    asCaller(deps, caller, async (tx) =>
      (await tx.webhook.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] })).map(webhookOf),
    ),
  );

  bind(webhooks.create, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx): Promise<RouteResult<typeof webhooks.create>> => {
      await demandRoom(tx);
      const secret = newSecret();
      const secretId = await keep(tx, caller.subscriberId, secret);
      const row = await tx.webhook.create({ data: { id: newId('webhook'), ...body, secretId } });
      await audit(tx, request, { act: 'webhook.create', object: row.id, after: seen(row) });
      return { ...webhookOf(row), secret };
    }),
  );

  bind(webhooks.update, ({ caller, request, params: { id }, body }) =>
    asCaller(deps, caller, async (tx) => {
      const before = await lockWebhook(tx, id);
      // Who switches it on, or saves it while it is on, gives it a new start.
      const start = body.isOn && !before.isOn ? { failures: 0, failingSince: null } : {};
      const row = await tx.webhook.update({ where: { id }, data: { ...body, ...start, disabledAt: null } });
      await audit(tx, request, { act: 'webhook.update', object: id, before: seen(before), after: seen(row) });
      return webhookOf(row);
    }),
  );

  bind(webhooks.remove, ({ caller, request, params: { id } }) =>
    asCaller(deps, caller, async (tx) => {
      const row = await lockWebhook(tx, id);
      const ids = [row.secretId, row.oldSecretId].filter((secretId) => secretId !== null);
      await tx.webhook.delete({ where: { id } });
      await tx.secret.deleteMany({ where: { id: { in: ids }, purpose: actionSecretPurpose } });
      await audit(tx, request, { act: 'webhook.remove', object: id, before: seen(row) });
      return {};
    }),
  );

  bind(webhooks.rotate, ({ caller, request, params: { id }, body: { overlapHours } }) =>
    asCaller(deps, caller, async (tx): Promise<RouteResult<typeof webhooks.rotate>> => {
      const before = await lockWebhook(tx, id);
      const secret = newSecret();
      const secretId = await keep(tx, caller.subscriberId, secret);
      const isKept = overlapHours > 0;
      const ended = [before.oldSecretId, isKept ? null : before.secretId].filter((one) => one !== null);
      const oldSecretUntil = isKept ? new Date(Date.now() + overlapHours * 3_600_000) : null;
      const oldSecretId = isKept ? before.secretId : null;
      const row = await tx.webhook.update({ where: { id }, data: { secretId, oldSecretId, oldSecretUntil } });
      await tx.secret.deleteMany({ where: { id: { in: ended }, purpose: actionSecretPurpose } });
      await audit(tx, request, { act: 'webhook.rotate', object: id, after: { name: row.name, overlapHours } });
      return { ...webhookOf(row), secret };
    }),
  );

  bind(webhooks.test, async ({ caller, request, params: { id } }) => {
    const { row, secrets } = await asCaller(deps, caller, async (tx) => {
      const webhook = found(await tx.webhook.findUnique({ where: { id } }));
      const { oldSecretUntil, oldSecretId, secretId } = webhook;
      const isOldKept = oldSecretUntil !== null && oldSecretUntil > new Date();
      const ids = isOldKept && oldSecretId !== null ? [secretId, oldSecretId] : [secretId];
      const texts = [];
      for (const one of ids) {
        const place = { subscriberId: caller.subscriberId, id: one, purpose: actionSecretPurpose };
        texts.push(await revealSecret(tx, deps.keys, place));
      }
      await audit(tx, request, { act: 'webhook.test', object: id, after: { name: webhook.name } });
      return { row: webhook, secrets: texts };
    });
    const message = { subject: row.name, text: '' };
    const body = JSON.stringify({ event: row.events[0], isTest: true, at: new Date().toISOString(), message });
    await callOnce({ url: row.url, secret: secrets, body }, deps.env.outboundAllowedHosts);
    return {};
  });

  /** Some of the calls of a webhook that the caller has, the newest first. */
  const readCalls = (caller: Caller, locale: Locale, id: string, { skip, take }: { skip: number; take: number }) =>
    asCaller(deps, caller, async (tx) => {
      found(await tx.webhook.findUnique({ where: { id }, select: { id: true } }));
      const ids = (
        await tx.$queryRaw<{ id: string }[]>`
        select id from effects where ${isCallOf(id)} and jsonb_typeof(payload -> 'told') = 'object'
         order by created_at desc, id desc offset ${skip} limit ${take}`
      ).map((row) => row.id);
      return inOrder(ids, await tx.effect.findMany({ where: { id: { in: ids } } })).flatMap((row) =>
        callOf(row, locale),
      );
    });

  bind(webhooks.calls, ({ caller, request, params: { id } }) =>
    readCalls(caller, localeOf(request), id, { skip: 0, take: most }),
  );

  bind(webhooks.exportCalls, ({ caller, request, reply, params: { id } }) =>
    sendList(reply, {
      name: 'webhook-calls',
      columns: webhookCallColumns,
      read: (page) => readCalls(caller, localeOf(request), id, pageWindow(page)),
    }),
  );

  bind(webhooks.retry, ({ caller, request, params: { id, callId } }) =>
    asCaller(deps, caller, async (tx) => {
      const where = { id: callId, kind: 'webhook', payload: { path: ['webhookId'], equals: id } };
      found(await tx.effect.findFirst({ where, select: { id: true } }));
      found((await retryEffect(tx, { id: callId, kind: 'webhook' })) || null);
      await audit(tx, request, { act: 'webhook.retry', object: id, after: { calls: 1 } });
      return {};
    }),
  );

  bind(webhooks.retryAll, ({ caller, request, params: { id } }) =>
    asCaller(deps, caller, async (tx) => {
      found(await tx.webhook.findUnique({ where: { id }, select: { id: true } }));
      const rows = await tx.$queryRaw<{ id: string }[]>`
        select id from effects where ${isCallOf(id)} and state = 'Dead' order by created_at limit 1000`;
      let count = 0;
      for (const { id: callId } of rows) if (await retryEffect(tx, { id: callId, kind: 'webhook' })) count++;
      await audit(tx, request, { act: 'webhook.retry', object: id, after: { calls: count } });
      return { count };
    }),
  );
}
