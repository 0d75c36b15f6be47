import rateLimit from '@fastify/rate-limit';
import { problem, type Route } from '@pdf2press/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';

/** Requests a minute that a caller may make where the route says nothing; the viewer of a long PDF asks for many tiles. */
const perMinute = { user: 6000, embed: 6000, apiKey: 600, address: 1200 } as const;

/** Callers whose counts a process keeps; of more, the one that was quiet for longest is forgotten. */
const keptCallers = 100_000;

interface Count {
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

/** Counts one use of a key in Postgres, in windows that begin at whole multiples of their length. */
async function countShared(deps: ApiDeps, key: string, seconds: number): Promise<Count> {
  const [row] = await deps.db.asHost(
    (tx) => tx.$queryRaw<{ count: number; wait: number }[]>`
      insert into rate_limits (key, window_start, count)
      values (${key}, to_timestamp(floor(extract(epoch from clock_timestamp()) / ${seconds}::int) * ${seconds}::int), 1)
      on conflict (key, window_start) do update set count = rate_limits.count + 1
      returning count, ceil(extract(epoch from window_start) + ${seconds}::int - extract(epoch from clock_timestamp()))::int as wait`,
  );
  return { current: row?.count ?? 0, ttl: Math.max(row?.wait ?? 0, 1) * 1000 };
}

/** Counts one use of a key in Postgres. Resolves to whether there were more than `max` in its window. */
export async function isOverLimit(deps: ApiDeps, key: string, max: number, seconds: number): Promise<boolean> {
  return (await countShared(deps, key, seconds)).current > max * deps.limitFactor;
}

/** The store of the plugin that counts in Postgres; a class because the plugin makes it with `new`. */
const sharedStoreOf = (deps: ApiDeps) =>
  class SharedStore {
    incr(key: string, done: (error: Error | null, count?: Count) => void, timeWindow: number): void {
      countShared(deps, key, timeWindow / 1000).then(
        (count) => done(null, count),
        (error: Error) => done(error),
      );
    }
    child(): SharedStore {
      return this;
    }
  };

const whoAsks = ({ caller, ip }: FastifyRequest): string => (caller ? `${caller.kind}:${caller.id}` : `address:${ip}`);

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

/** @throws ProblemError `request.rateLimited` with the seconds to wait */
async function demandRoom(limiter: Limiter, request: FastifyRequest): Promise<void> {
  const limit = await limiter(request);
  if (!limit.isAllowed && limit.isExceeded)
    throw problem('request.rateLimited', { seconds: Math.max(limit.ttlInSeconds, 1) });
}

/** For a route: what refuses a request that is one too many. */
export type RouteLimits = (route: Route) => (request: FastifyRequest) => Promise<void>;

/**
 * Makes what holds the requests of a route to its limits. The wide limits, which only shed load, are counted in this
 * process. The narrow ones of the contract (sign-in, reset, tests that connect outwards) are counted in Postgres, so that
 * neither a restart nor a second API process starts them anew.
 */
export async function createRouteLimits(app: FastifyInstance, deps: ApiDeps): Promise<RouteLimits> {
  // A scope of its own for each, because the plugin takes one store per scope.
  const limitersIn = async (options: object): Promise<{ createLimiter: FastifyInstance['createRateLimit'] }> => {
    let createLimiter = app.createRateLimit;
    await app.register(async (scope) => {
      await scope.register(rateLimit, { global: false, ...options });
      createLimiter = scope.createRateLimit;
    });
    return { createLimiter };
  };
  const inProcess = await limitersIn({ cache: keptCallers });
  const shared = await limitersIn({ store: sharedStoreOf(deps) });
  const wide = inProcess.createLimiter({
    keyGenerator: whoAsks,
    max: ({ caller }) => perMinute[caller?.kind ?? 'address'] * deps.limitFactor,
    timeWindow: 60_000,
  });
  return ({ method, path, rateLimit: own }) => {
    const narrow =
      own &&
      shared.createLimiter({
        keyGenerator: (request) => `${method} ${path} ${whoAsks(request)}`,
        max: own.max * deps.limitFactor,
        timeWindow: own.windowSeconds * 1000,
      });
    return async (request) => {
      await demandRoom(wide, request);
      if (narrow) await demandRoom(narrow, request);
    };
  };
}
