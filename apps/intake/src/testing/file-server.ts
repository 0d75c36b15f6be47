import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What may happen to an answer instead of the file. */
const breaks = {
  busy: (response: ServerResponse) => void response.writeHead(503, { 'retry-after': '1' }).end(),
  cut: async (response: ServerResponse, bytes: Buffer) => {
    response.writeHead(200, { 'content-length': bytes.length, etag: '"one"' });
    response.write(bytes.subarray(0, bytes.length / 2));
    await pause(20);
    response.destroy();
  },
};

/** A server on the web from which files are fetched by their addresses. */
export interface FileServer {
  /** As it stands in `OUTBOUND_ALLOWED_HOSTS`. */
  origin: string;
  /** Makes a file available. Answers its address. */
  show(name: string, bytes: Buffer): string;
  /** The next answer is no file, or half of one. */
  breakNext(how: keyof typeof breaks): void;
  /** Answers that were broken. */
  broken(): number;
  stop(): Promise<void>;
}

/** Starts it on a free port of the loopback. It gives parts of files, and says by their ETag that they are still the same. */
export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const next: (keyof typeof breaks)[] = [];
  let broken = 0;
  const server = createServer((request, response) => {
    const bytes = files.get(request.url ?? '');
    const how = bytes && next.shift();
    if (bytes && how) {
      broken += 1;
      void breaks[how](response, bytes);
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (!bytes || from >= bytes.length) return void response.writeHead(bytes ? 416 : 404).end();
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(from > 0 ? 206 : 200, {
      ...{ 'content-length': bytes.length - from, 'content-type': 'application/pdf', etag: '"one"' },
      ...(from > 0 && range),
    });
    response.end(bytes.subarray(from));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    show: (name, bytes) => {
      files.set(`/${name}`, bytes);
      return `${origin}/${name}`;
    },
    breakNext: (how) => void next.push(how),
    broken: () => broken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
