import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const writing = new AsyncLocalStorage<true>();
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the calling code answers a request that writes: a file that is handed in, a decision, a change. Under more load than
 * the machine bears, these come before what screens read, which ask again by themselves.
 */
export const isWriting = (): boolean => writing.getStore() === true;

/** Lets what answers a request know whether it writes. */
export function installWrites(app: FastifyInstance): void {
  const within = ({ method }: FastifyRequest, done: () => void) => {
    if (reads.has(method)) done();
    else writing.run(true, done);
  };
  app.addHook('onRequest', (request, _reply, done) => within(request, done));
  // A body is read by events that do not belong to the request.
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
}
