import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import underPressure from '@fastify/under-pressure';
import { problem } from '@pdf2press/contract';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { installAuthentication } from './auth/authenticate.ts';
import * as binders from './binders.ts';
import type { ApiDeps } from './deps.ts';
import { installDocs } from './docs/docs.ts';
import { framesOf } from './embed-tokens/frames.ts';
import { type Bind, createBinder, refuseUndeclared } from './frame/bind.ts';
import { installCors } from './frame/cors.ts';
import { installErrors } from './frame/errors.ts';
import { installHealth } from './frame/health.ts';
import { installMetrics } from './frame/metrics.ts';
import { isTooBusy, sampleInterval } from './frame/overload.ts';
import { installParsers, readQuery } from './frame/parsers.ts';
import { createRouteLimits } from './frame/rate-limits.ts';
import { installSecurityHeaders } from './frame/security-headers.ts';
import { installSlowBodyLimits } from './frame/slow-bodies.ts';
import { installTraces } from './frame/traces.ts';
import { installWebApp } from './frame/web-app.ts';
import { installWrites } from './frame/writes.ts';

/** Calls of the programs that watch over the installation; they are answered also when others are turned away. */
const isOfTheHouse = (url: string): boolean => url.startsWith('/healthz/') || url === '/metrics';

/** Ties the routes of one noun to what answers them. */
type BindNoun = (bind: Bind, deps: ApiDeps, app: FastifyInstance) => void;

/** The whole app, ready to listen or to be injected into. */
export async function build(deps: ApiDeps): Promise<FastifyInstance> {
  const { env } = deps;
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: env.trustedProxies.length > 0 ? env.trustedProxies : false,
    routerOptions: { caseSensitive: true, querystringParser: readQuery, maxParamLength: 200 },
    // Uploads may take any time; other requests have limits of their own.
    requestTimeout: 0,
    connectionTimeout: 0,
    http: { headersTimeout: 10_000 },
    return503OnClosing: true,
  });
  installTraces(app);
  installWrites(app);
  refuseUndeclared(app);
  installParsers(app);
  installErrors(app);
  installSlowBodyLimits(app, env);
  let isUntrustedTold = env.trustedProxies.length > 0;
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    if (isUntrustedTold || request.headers['x-forwarded-for'] === undefined) return;
    isUntrustedTold = true;
    // Behind a proxy that is not named, everybody has the proxy's address and shares its limits.
    deps.log.warn({ address: request.ip }, 'forwarded.untrusted: set TRUST_PROXY if a proxy stands before this');
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    // The route instead of the address, because addresses hold names and search words.
    deps.log.debug({ id: request.id, method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered');
  });
  await installSecurityHeaders(app, env);
  await installCors(app, env.corsOrigins);
  await app.register(cookie);
  await app.register(multipart, {
    // A file, and one beside it with values for its variables.
    limits: { files: 2, fields: 20, fieldSize: 64 * 1024, fileSize: Number.POSITIVE_INFINITY, parts: 25 },
    throwFileSizeLimit: false,
  });
  // What the loop did before the first calls could come is no lag of theirs.
  let startedUntil = 0;
  app.addHook('onListen', async () => {
    startedUntil = performance.now() + 2 * sampleInterval;
  });
  await app.register(underPressure, {
    maxEventLoopDelay: env.overloadDelay,
    sampleInterval,
    pressureHandler: (request, _reply, _type, value = 0) => {
      if (performance.now() < startedUntil) return;
      const isStranger = request.routeOptions.config.access?.kind === 'public' && !isOfTheHouse(request.url);
      if (isTooBusy(value, env.overloadDelay, isStranger)) throw problem('service.tooBusy');
    },
  });
  await installAuthentication(app, deps);
  installHealth(app, deps);
  installMetrics(app, deps);
  const { bind, assertAllBound } = createBinder(app, await createRouteLimits(app, deps));
  for (const bindNoun of Object.values<BindNoun>(binders)) bindNoun(bind, deps, app);
  assertAllBound();
  await installDocs(app, deps);
  await installWebApp(app, { frameAncestors: (address) => framesOf(deps, address) });
  return app;
}
