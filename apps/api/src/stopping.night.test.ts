import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/joined/main.js', import.meta.url));

/** An address that leads to a server, until it is held: then nothing comes through any more, and no connection ends. */
async function openRelay(to: number): Promise<{ port: number; hold(): void; close(): void }> {
  const sockets: net.Socket[] = [];
  let isHeld = false;
  const server = net.createServer((near) => {
    const far = net.connect(to, '127.0.0.1');
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('data', (part) => isHeld || far.write(part));
    far.on('data', (part) => isHeld || near.write(part));
    near.on('close', () => isHeld || far.destroy());
    far.on('close', () => isHeld || near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    hold: () => {
      isHeld = true;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('an API whose database answers no more ends when it is told to', async () => {
  const postgres = await startTestPostgres();
  const address = new URL(postgres.migratedUrl);
  const relay = await openRelay(Number(address.port));
  address.port = String(relay.port);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-stopping-'));
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    env: {
      ...{ PATH: process.env.PATH, NODE_NO_WARNINGS: '1', PORT: String(port) },
      ...{ DATABASE_URL: address.href, DATA_DIR: folder },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    await expect.poll(() => text).toContain('api.started');
    relay.hold();
    // A question that waits for the database when the API is told to end.
    const asked = fetch(`http://127.0.0.1:${port}/api/TokenAuth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.com', password: 'Proof-4-Press!' }),
    }).catch(() => undefined);
    await new Promise((done) => setTimeout(done, 500));
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
    expect(text).toContain('api.stop"');
    await asked;
  } finally {
    child.kill('SIGKILL');
    relay.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
