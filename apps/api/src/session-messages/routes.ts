import { routes, type SessionMessage } from '@pdf2press/contract';
import { effectContracts, retryEffect } from '@pdf2press/engine';
import { ownLink, renderMail } from '@pdf2press/mail';
import { Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';

/** The newest messages are listed, up to this many: more than one session causes in years. */
const most = 500;

type Payload = ReturnType<typeof effectContracts.mail.payload.parse>;

/** What a message says. The recipient's own link is not stored with it, and so is not told here. */
function contentOf({ template, content, locale, params, name }: Payload, app: string) {
  if (template !== 'message') return renderMail(template, locale, { ...params, app, name });
  const { subject = '', text = '' } = content ?? {};
  return { subject, text: text.replaceAll(ownLink, '[…]') };
}

/** Messages among the effects of a session: calls of its steps are none. */
const isMessage: Prisma.EffectWhereInput = {
  OR: [
    { kind: { in: ['mail', 'chat'] } },
    { kind: 'webhook', payload: { path: ['told', 'name'], not: Prisma.AnyNull } },
  ],
};

/** What a message says and to whom, whatever way it goes. */
function toldOf({ kind, payload: stored }: { kind: string; payload: unknown }, app: string) {
  if (kind === 'chat') {
    const { hook, name, event, message } = effectContracts.chat.payload.parse(stored);
    const { title, text } = message;
    return { channel: hook.format, event, to: name, subject: title, text };
  }
  if (kind === 'webhook') {
    const { told } = effectContracts.webhook.payload.parse(stored);
    const { event = null, name = '', subject = '', text = '' } = told ?? {};
    return { channel: 'webhook' as const, event, to: name, subject, text };
  }
  const payload = effectContracts.mail.payload.parse(stored);
  return {
    channel: 'mail' as const,
    event: payload.event ?? null,
    to: payload.to,
    ...contentOf(payload, app),
  };
}

type Row = Prisma.EffectGetPayload<true>;

/** The key of the digest that a message is sent with; undefined for one that is sent by itself. */
const digestKeyOf = ({ payload }: Pick<Row, 'payload'>): string | undefined =>
  storedAs<{ gathered?: { in: string } }>(payload).gathered?.in;

/** The digests of messages by their keys. */
async function digestsOf(tx: Transaction, rows: readonly Row[]): Promise<Map<string, Row>> {
  const keys = [...new Set(rows.flatMap((row) => digestKeyOf(row) ?? []))];
  if (keys.length === 0) return new Map();
  return new Map((await tx.effect.findMany({ where: { key: { in: keys } } })).map((row) => [row.key, row]));
}

function stateOf({ kind, state, remoteRef }: Pick<Row, 'kind' | 'state' | 'remoteRef'>): SessionMessage['state'] {
  if (state === 'Dead') return 'failed';
  if (state !== 'Done') return 'waiting';
  if (kind === 'webhook') return 'sent';
  return remoteRef === 'kept' ? 'kept' : remoteRef === 'sent' ? 'sent' : 'unwanted';
}

/** The messages about a session: what was written to whom, and what became of it. */
export function bindSessionMessages(bind: Bind, deps: ApiDeps): void {
  const { sessionMessages } = routes;

  bind(sessionMessages.list, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => {
      const { id: sessionId } = found(await tx.session.findFirst({ where: { id: params.id, deletedAt: null } }));
      const rows = await tx.effect.findMany({
        where: { ...isMessage, sessionId },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: most,
      });
      const now = new Date();
      const digests = await digestsOf(tx, rows);
      return rows.map((message): SessionMessage => {
        const told = toldOf(message, deps.env.title);
        // What is gathered is sent with its digest, and stands as that does.
        const row = digests.get(digestKeyOf(message) ?? '') ?? message;
        return {
          id: message.id,
          ...told,
          state: stateOf(row),
          createdAt: message.createdAt.toISOString(),
          sentAt: row.doneAt?.toISOString() ?? null,
          waitsUntil: row.state === 'Pending' && row.nextAt > now ? row.nextAt.toISOString() : null,
          tries: row.attempt,
          lastError: row.lastError,
        };
      });
    }),
  );

  bind(sessionMessages.retry, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      const session = found(await tx.session.findFirst({ where: { id: params.id, deletedAt: null } }));
      const where = { ...isMessage, id: params.messageId, sessionId: session.id };
      const message = found(await tx.effect.findFirst({ where }));
      const { id, kind } = (await digestsOf(tx, [message])).values().next().value ?? message;
      found(
        ((kind === 'mail' || kind === 'chat' || kind === 'webhook') && (await retryEffect(tx, { id, kind }))) || null,
      );
      await audit(tx, request, { act: 'mail.retry', object: id });
      return {};
    }),
  );
}
