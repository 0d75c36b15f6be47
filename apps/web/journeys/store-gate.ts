import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is answered in place of the store: no access, or other bytes than lie there. */
type Refusal = 'denied' | 'damaged';

interface StoreGate {
  port: number;
  /** Answers calls of this method in place of the store from now on; none = all calls are passed on. */
  refuse(method?: string, how?: Refusal): void;
  stop(): Promise<void>;
}

const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access denied</Message></Error>';

/** Stands before an S3 server, so that a test sees each call to it refused. @param at the port; 0 = any */
export async function openStoreGate(endpoint: string, at = 0): Promise<StoreGate> {
  const { hostname, port } = new URL(endpoint);
  let refused: { method: string; how: Refusal } | undefined;
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    if (refused?.method === method) {
      request.resume();
      const [status, body] = refused.how === 'denied' ? [403, denied] : [200, 'other bytes'];
      response.writeHead(status, { 'content-type': 'application/xml' }).end(method === 'HEAD' ? undefined : body);
      return;
    }
    const passed = ask({ host: hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    refuse: (method, how = 'denied') => {
      refused = method === undefined ? undefined : { method, how };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
