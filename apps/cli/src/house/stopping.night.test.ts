import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { expect, test } from 'vitest';
import { repositoryRoot } from './root.ts';

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

test.for(['api', 'intake', 'worker'])(
  '%s ends when it is told to, also where its database answers no more',
  async (name) => {
    const postgres = await startTestPostgres();
    const address = new URL(postgres.migratedUrl);
    const relay = await openRelay(Number(address.port));
    address.port = String(relay.port);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-stopping-'));
    const port = await freePort();
    const child = spawn(process.execPath, [path.join(repositoryRoot, 'apps', name, 'dist/joined/main.js')], {
      env: {
        ...{ PATH: process.env.PATH, NODE_NO_WARNINGS: '1', PORT: String(port) },
        ...{ DATABASE_URL: address.href, DATA_DIR: folder },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let text = '';
      child.stdout.on('data', (part) => (text += part));
      await expect.poll(() => text).toContain(`${name}.started`);
      relay.hold();
      // What is asked of the database when the process is told to end: by the API for this, by the others all the time.
      const asked =
        name === 'api' &&
        fetch(`http://127.0.0.1:${port}/api/TokenAuth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'ana@example.com', password: 'Proof-4-Press!' }),
        }).catch(() => undefined);
      await new Promise((done) => setTimeout(done, 5_000));
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      expect(signal).toBeNull();
      // Intake ends well where it asked nothing at that moment.
      expect(code === 0 ? name : text).toContain(code === 0 ? 'intake' : `${name}.stop"`);
      await asked;
    } finally {
      child.kill('SIGKILL');
      relay.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
