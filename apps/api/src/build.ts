import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import underPressure from '@fastify/under-pressure';
import { problem } from '@pdf2press/contract';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { bindApiKeys } from './api-keys/routes.ts';
import { installAuthentication } from './auth/authenticate.ts';
import { bindAuth } from './auth/routes.ts';
import type { ApiDeps } from './deps.ts';
import { installDocs } from './docs/docs.ts';
import { framesOf } from './embed-tokens/frames.ts';
import { bindEmbedTokens } from './embed-tokens/routes.ts';
import { createBinder, refuseUndeclared } from './frame/bind.ts';
import { installCors } from './frame/cors.ts';
import { installErrors } from './frame/errors.ts';
import { installHealth } from './frame/health.ts';
import { installParsers, readQuery } from './frame/parsers.ts';
import { installSecurityHeaders } from './frame/security-headers.ts';
import { installWebApp } from './frame/web-app.ts';
import { bindMe } from './me/routes.ts';
import { bindProfiles } from './profiles/routes.ts';
import { bindRoles } from './roles/routes.ts';
import { bindSessions } from './sessions/routes.ts';
import { bindSystem } from './system/routes.ts';
import { bindTrials } from './trials/routes.ts';
import { bindUploads } from './uploads/routes.ts';
import { bindUsers } from './users/routes.ts';
import { bindWorkflows } from './workflows/routes.ts';

/** Strangers are turned away when the event loop lags; everybody is when it lags so many times as much. */
const overwhelmed = 5;

const jsonBytes = 1024 * 1024;

/** The whole app, ready to listen or to be injected into. */
export async function build(deps: ApiDeps): Promise<FastifyInstance> {
  const { env } = deps;
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: jsonBytes,
    trustProxy: env.trustedProxies.length > 0 ? env.trustedProxies : false,
    routerOptions: { caseSensitive: true, querystringParser: readQuery, maxParamLength: 200 },
    // Uploads take as long as they take; what must not take long has its own limits.
    requestTimeout: 0,
    connectionTimeout: 0,
    http: { headersTimeout: 10_000 },
    return503OnClosing: true,
  });
  refuseUndeclared(app);
  installParsers(app);
  installErrors(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    // The route, not the address: addresses carry names and searches of people.
    deps.log.debug({ id: request.id, method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered');
  });
  await installSecurityHeaders(app, env);
  installCors(app, env.corsOrigins);
  await app.register(cookie);
  await app.register(multipart, {
    limits: { files: 1, fields: 20, fieldSize: 64 * 1024, fileSize: Number.POSITIVE_INFINITY, parts: 25 },
    throwFileSizeLimit: false,
  });
  await app.register(underPressure, {
    maxEventLoopDelay: env.overloadDelay,
    pressureHandler: (request, _reply, _type, value) => {
      const isStranger = request.routeOptions.config.access?.kind === 'public' && !request.url.startsWith('/healthz/');
      if (isStranger || (value ?? 0) > overwhelmed * env.overloadDelay) throw problem('service.tooBusy');
    },
  });
  await installAuthentication(app, deps);
  installHealth(app, deps);
  const { bind, assertAllBound } = createBinder(app, deps);
  bindAuth(bind, deps);
  bindMe(bind, deps);
  bindUsers(bind, deps);
  bindRoles(bind, deps);
  bindApiKeys(bind, deps);
  bindEmbedTokens(bind, deps);
  bindWorkflows(bind, deps);
  bindProfiles(bind, deps);
  bindSessions(bind, deps);
  bindUploads(app, bind, deps);
  bindTrials(bind, deps);
  bindSystem(bind, deps);
  assertAllBound();
  await installDocs(app, deps);
  await installWebApp(app, { frameAncestors: (address) => framesOf(deps, address) });
  return app;
}
