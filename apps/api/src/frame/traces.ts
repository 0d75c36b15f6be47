import { beginSpan, type OpenSpan } from '@pdf2press/engine/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A span for each request, where traces are on. The caller's `traceparent` is its parent, as W3C Trace Context says. */
export function installTraces(app: FastifyInstance): void {
  const open = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    // The route instead of the address, which may hold names and capabilities.
    const route = routeOptions.url;
    if (route === undefined || route.startsWith('/healthz/') || route === '/metrics') return done();
    const given = headers.traceparent;
    const span = beginSpan({
      name: `${method} ${route}`,
      kind: 'server',
      parent: typeof given === 'string' ? given : undefined,
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    if (!span) return done();
    open.set(request, span);
    span.run(done);
  });
  // A body is read by events that do not belong to the request, so that what follows would not run within its span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = open.get(request);
    if (span) span.run(done);
    else done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply;
    open.get(request)?.end({
      attributes: { 'http.response.status_code': statusCode },
      fault: statusCode >= 500 ? String(statusCode) : undefined,
    });
  });
}
