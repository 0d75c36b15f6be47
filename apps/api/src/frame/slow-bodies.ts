import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Milliseconds that a body other than a file's may take to arrive. */
const bodyMs = 30_000;
/** Connections that one address may hold open; an office behind one address has far fewer. */
const connectionsOfOne = 1_000;

/** Files may take any time: their senders are signed in, or limited in number by the route. */
const isFile = ({ headers }: FastifyRequest): boolean =>
  /^(?:multipart\/form-data|application\/offset\+octet-stream)\b/i.test(headers['content-type'] ?? '');

/**
 * Ends connections whose body does not come, and those of an address that holds too many. A proxy's address is everybody's
 * and is not counted.
 */
export function installSlowBodyLimits(
  app: FastifyInstance,
  {
    trustedProxies,
    deadline = bodyMs,
    connections = connectionsOfOne,
  }: {
    trustedProxies: readonly string[];
    deadline?: number;
    connections?: number;
  },
): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const arrived = async (request: FastifyRequest) => clearTimeout(timers.get(request));
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!isFile(request)) timers.set(request, setTimeout(() => request.raw.socket.destroy(), deadline).unref());
    return payload;
  });
  app.addHook('preValidation', arrived);
  app.addHook('onResponse', arrived);
  app.addHook('onRequestAbort', arrived);
  if (trustedProxies.length > 0) return;
  const open = new Map<string, number>();
  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > connections) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
