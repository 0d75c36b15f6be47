import net from 'node:net';
import { expect, test, vi } from 'vitest';
import { freePort } from './free-port.ts';

const listen = (port: number): Promise<net.Server> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
const close = (server: net.Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

test('a server can start there, and no system gives that port away meanwhile', async () => {
  for (const port of await Promise.all(Array.from({ length: 20 }, freePort))) {
    expect(port).toBeGreaterThan(1024);
    expect(port).toBeLessThan(32_768);
    await close(await listen(port));
  }
});

test('one that is taken is not chosen', async () => {
  const chosen = vi.spyOn(Math, 'random');
  chosen.mockReturnValueOnce(0.25).mockReturnValueOnce(0.25).mockReturnValueOnce(0.75);
  const taken = await freePort();
  const server = await listen(taken);
  try {
    const next = await freePort();
    expect(next).not.toBe(taken);
    expect(chosen.mock.calls.length, 'the one that is taken was tried').toBeGreaterThanOrEqual(3);
  } finally {
    chosen.mockRestore();
    await close(server);
  }
});
