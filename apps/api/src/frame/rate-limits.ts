import { problem, type Route } from '@pdf2press/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';

/** Requests a minute that a caller may make where the route says nothing; the viewer of a long PDF asks for many tiles. */
const perMinute = { user: 6000, embed: 6000, apiKey: 600, address: 1200 } as const;

/** Counts one use of a key in Postgres. Resolves to the seconds to wait, 0 when there is room. */
export async function hitShared(deps: ApiDeps, key: string, max: number, seconds: number): Promise<number> {
  const [row] = await deps.db.asHost(
    (tx) => tx.$queryRaw<{ count: number; wait: number }[]>`
      insert into rate_limits (key, window_start, count)
      values (${key}, to_timestamp(floor(extract(epoch from clock_timestamp()) / ${seconds}::int) * ${seconds}::int), 1)
      on conflict (key, window_start) do update set count = rate_limits.count + 1
      returning count, ceil(extract(epoch from window_start) + ${seconds}::int - extract(epoch from clock_timestamp()))::int as wait`,
  );
  return row && row.count > max * deps.limitFactor ? Math.max(row.wait, 1) : 0;
}

const refuse = (reply: FastifyReply, seconds: number) => {
  reply.header('Retry-After', String(seconds));
  throw problem('request.rateLimited', { seconds });
};

/** The limit that holds for a route: its own, or the wide one of the caller. */
export async function limitRoute(
  deps: ApiDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller } = request;
  const who = caller ? `${caller.kind}:${caller.id}` : `address:${request.ip}`;
  const wide = deps.limits.hit(who, perMinute[caller?.kind ?? 'address'], 60);
  if (wide > 0) refuse(reply, wide);
  if (!route.rateLimit) return;
  const { max, windowSeconds } = route.rateLimit;
  const narrow = await hitShared(deps, `${route.method} ${route.path} ${who}`, max, windowSeconds);
  if (narrow > 0) refuse(reply, narrow);
}
