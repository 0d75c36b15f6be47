import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@pdf2press/contract';
import { type EventQuery, readEvents } from '@pdf2press/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { checkAccess } from '../frame/access.ts';
import { type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import type { Seat } from '../workflows/presence.ts';

/** Shorter than the half minute after which proxies close an idle connection. */
const heartbeatMs = 15_000;
/** Events are read this often without a notice: notices may be lost, or arrive before their transaction is visible. */
const lookMs = 2_000;
const soonMs = 50;
/** The caller is looked at again this often, as at every request: a revoked key or a right that was taken ends the stream. */
const recheckMs = 5_000;
const batch = 500;

async function newestSeq(deps: ApiDeps, caller: Caller): Promise<number> {
  const [row] = await asCaller(
    deps,
    caller,
    (tx) => tx.$queryRaw<{ seq: bigint }[]>`
      select coalesce(max(seq), 0) as seq from session_events
       where subscriber_id = ${caller.subscriberId} and transaction < pg_snapshot_xmin(pg_current_snapshot())`,
  );
  return Number(row?.seq ?? 0);
}

/** Where to continue: after the number in the header of a resumed stream, else now. */
async function beginningOf(deps: ApiDeps, caller: Caller, request: FastifyRequest): Promise<number> {
  const last = Number(request.headers['last-event-id']);
  return Number.isSafeInteger(last) && last >= 0 && request.headers['last-event-id'] !== undefined
    ? last
    : newestSeq(deps, caller);
}

/** The caller with the rights of now; null when they may not call this route any more. */
async function again(deps: ApiDeps, caller: Caller, request: FastifyRequest): Promise<Caller | null> {
  const now = await deps.callers.again(caller);
  const { route } = request.routeOptions.config;
  try {
    if (route) checkAccess(route, now);
    return now;
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
}

/**
 * Sends a caller's events as they happen, as `text/event-stream`: `id` is the event's number, `event` is `session`, `data`
 * the contract's SessionEvent. In the stream of all sessions the event `notices` tells that the bell has something else to
 * show. Of a draft, `event` is `presence` and `data` the people beside the caller. Ends when the
 * client disconnects, the process stops or the caller is signed out.
 */
export async function streamEvents(
  deps: ApiDeps,
  {
    caller: opener,
    request,
    reply,
    of,
    seat,
  }: {
    caller: Caller;
    request: FastifyRequest;
    reply: FastifyReply;
    /** Null = no events of sessions. */
    of: Pick<EventQuery, 'sessionId' | 'trialId'> | null;
    /** Of somebody who has a draft open: who else has is told as `presence`, whenever it changes. */
    seat?: Seat;
  },
): Promise<void> {
  let caller = opener;
  let after = of ? await beginningOf(deps, caller, request) : 0;
  const giveBack = deps.events.takeStream(caller);
  reply.hijack();
  const { raw } = reply;
  const headers = reply.getHeaders() as Record<string, string>;
  raw.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const end = new AbortController();
  raw.on('close', () => end.abort());
  const stopping = () => end.abort();
  deps.stopping.addEventListener('abort', stopping);
  let news = new AbortController();
  const silence = deps.events.onNews(caller.subscriberId, () => news.abort());
  const send = async (text: string) => {
    if (!raw.write(text))
      await once(raw, 'drain', { signal: AbortSignal.any([end.signal, AbortSignal.timeout(30_000)]) });
  };
  try {
    await send(`retry: 2000\n: connected\n\n`);
    let [beatAt, checkedAt] = [Date.now(), Date.now()];
    let present = JSON.stringify([]);
    const isOfAll = of !== null && of.sessionId === undefined && of.trialId === undefined;
    let noticed = deps.events.noticesOf(caller.subscriberId);
    while (!end.signal.aborted) {
      const hint = news;
      const others = JSON.stringify(seat?.others() ?? []);
      if (others !== present) await send(`event: presence\ndata: ${others}\n\n`);
      present = others;
      const notices = deps.events.noticesOf(caller.subscriberId);
      if (isOfAll && notices !== noticed) await send('event: notices\ndata: {}\n\n');
      noticed = notices;
      const events = of ? await readEvents(deps.db, contextOf(caller), { ...of, after, limit: batch }) : [];
      for (const event of events) {
        await send(`id: ${event.seq}\nevent: session\ndata: ${JSON.stringify(event)}\n\n`);
        after = event.seq;
      }
      if (events.length === batch) continue;
      const now = Date.now();
      if (now - beatAt > heartbeatMs) {
        beatAt = now;
        seat?.beat();
        await send(`: ${now}\n\n`);
      }
      if (now - checkedAt > recheckMs) {
        checkedAt = now;
        const fresh = await again(deps, caller, request);
        if (!fresh) break;
        caller = fresh;
      }
      // A notice may arrive before its row is visible, so the next read comes soon.
      const wait = events.length === 0 && hint.signal.aborted ? soonMs : lookMs;
      if (hint.signal.aborted) news = new AbortController();
      await sleep(wait, undefined, { signal: AbortSignal.any([end.signal, news.signal]) }).catch(() => undefined);
    }
  } catch (error) {
    if (!end.signal.aborted) request.log.warn({ err: error }, 'live stream broke');
  } finally {
    giveBack();
    silence();
    seat?.leave();
    deps.stopping.removeEventListener('abort', stopping);
    raw.end();
  }
}
