import { type Envelope, problem, type Route, type RouteResult, routes } from '@pdf2press/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { checkAccess } from './access.ts';
import type { Caller } from './caller.ts';
import type { RouteLimits } from './rate-limits.ts';
import { readPart } from './read-part.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; the API refuses to start with a route without it. */
    access?: Route['access'];
    route?: Route;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

type Read<S> = S extends z.ZodType ? z.output<S> : undefined;
/** A route's body as its handler gets it: read, defaults filled in. */
export type ReadBody<R extends Route> = Read<R['body']>;
/** A route's query as its handler gets it. */
export type ReadQuery<R extends Route> = Read<R['query']>;
type Raw = { wire: 'bytes' | 'events' | 'tus' };

/** What a handler is given: everything already read by the contract's schemas and allowed. */
export interface Call<R extends Route> {
  /** Throws on a public route that nobody signed in for; ask `maybeCaller` there. */
  readonly caller: Caller;
  readonly maybeCaller: Caller | null;
  params: Read<R['params']>;
  query: Read<R['query']>;
  body: Read<R['body']>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers the `result` of the envelope, or for raw wires whatever Fastify can send. */
export type Handler<R extends Route> = (call: Call<R>) => Promise<R extends Raw ? unknown : RouteResult<R>>;
export type Bind = <R extends Route>(route: R, handler: Handler<R>) => void;

export const base = '/api';

/** The longest JSON body in bytes; that of a stranger is short. Uploads are not JSON and have limits of their own. */
const bodyBytes = { signedIn: 1024 * 1024, public: 16 * 1024 } as const;
const key = (route: Route) => `${route.method} ${route.path}`;

/** All routes of the table, flat. */
export const routeTable: readonly Route[] = Object.values(routes).flatMap((noun): Route[] => Object.values(noun));

/**
 * Makes the function that ties a route of the contract to what answers it, and the check that none was forgotten.
 * Parameters, query, body and answer are read by the contract's schemas: what these do not name is dropped.
 */
export function createBinder(app: FastifyInstance, limitsOf: RouteLimits): { bind: Bind; assertAllBound: () => void } {
  const bound = new Set<string>();
  const bind: Bind = (route, handler) => {
    if (!route.access) throw new Error(`the route ${key(route)} declares no access`);
    if (bound.has(key(route))) throw new Error(`the route ${key(route)} is bound twice`);
    bound.add(key(route));
    const demandRoom = limitsOf(route);
    const isRaw = route.wire !== undefined && route.wire !== 'envelope';
    app.route({
      method: route.method,
      url: base + route.path,
      exposeHeadRoute: false,
      bodyLimit: route.bodyBytes ?? bodyBytes[route.access.kind === 'public' ? 'public' : 'signedIn'],
      config: { access: route.access, route },
      onRequest: async (request) => {
        checkAccess(route, request.caller);
        await demandRoom(request);
      },
      handler: async (request, reply) => {
        const call = {
          get caller() {
            if (!request.caller) throw problem('auth.tokenInvalid');
            return request.caller;
          },
          maybeCaller: request.caller,
          params: readPart(route.params, request.params, 'params'),
          query: readPart(route.query, request.query, 'query'),
          body: readPart(route.body, request.body, 'body'),
          request,
          reply,
        } as Call<typeof route>;
        const answer = await handler(call);
        if (isRaw) return answer === undefined ? reply : reply.send(answer);
        // Tokens and customers' data belong into no cache, neither a proxy's nor a browser's.
        if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
        reply.code(reply.statusCode === 200 ? (route.status ?? 200) : reply.statusCode);
        // The schema removes what it does not name, so that no column is sent by accident.
        const result: unknown = route.result ? route.result.parse(answer) : null;
        return { success: true, result, errors: [] } satisfies Envelope<unknown>;
      },
    });
  };
  const assertAllBound = () => {
    const missing = routeTable.filter((route) => !bound.has(key(route))).map(key);
    if (missing.length > 0) throw new Error(`routes of the contract without a handler: ${missing.join(', ')}`);
  };
  return { bind, assertAllBound };
}

/** Refuses to start with a route that does not declare who may call it, whoever registered it. */
export function refuseUndeclared(app: FastifyInstance): void {
  const registered: RouteOptions[] = [];
  // Checked when all are registered: a later hook may declare the access of a plugin's route.
  app.addHook('onRoute', (route) => {
    registered.push(route);
  });
  app.addHook('onReady', async () => {
    const undeclared = registered
      .filter(({ config }) => !config?.access)
      .map(({ method, url }) => `${String(method)} ${url}`);
    if (undeclared.length > 0) throw new Error(`routes without declared access: ${undeclared.join(', ')}`);
  });
}
