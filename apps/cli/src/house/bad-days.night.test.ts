import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { createDatabase } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { expect, test } from 'vitest';
import { slowPdf, soundPdf } from '../testing/hard-pdfs.ts';
import { openHouse } from '../testing/house-client.ts';
import { administrator, pidBelow, pidOf, startHouse, testVariables } from '../testing/test-house.ts';
import { repositoryRoot } from './root.ts';

test('a PDF that takes too long to read fails at the time limit, with a sentence in the reader’s language, and the worker continues', async () => {
  const house = await startHouse({ PDF_TIME_FACTOR: '0.01' });
  try {
    const worker = pidOf(house, 'worker');
    const bytes = slowPdf();
    const session = await house.client.ended((await house.client.hand(bytes)).id);
    expect(session).toMatchObject({ status: 'Failed', failure: { code: 'PDF_TIMEOUT' } });
    expect(session.failure?.message).toMatch(/dépassé [\d.,]+ secondes/);
    expect((await house.client.download(session, 'OriginalFile')).equals(bytes)).toBe(true);
    expect(pidOf(house, 'worker')).toBe(worker);
  } finally {
    await house.stop();
  }
});

/** A disk of a given size needs a mount; a mount without root needs namespaces. */
const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', os.tmpdir()]).status === 0;

test.skipIf(!mayMount)(
  'with a full disk new files are refused, acknowledged ones are kept, and work goes on once there is space (needs namespaces)',
  async () => {
    const postgres = await startTestPostgres();
    const database = createDatabase(postgres.url);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-full-'));
    const port = await freePort();
    const script = 'mount -t tmpfs -o size=32m none "$DATA_DIR" && exec "$0" "$@"';
    const program = [process.execPath, path.join(repositoryRoot, 'apps/cli/bin/pdf2press.js'), 'start'];
    const start = spawn('unshare', ['-rm', 'sh', '-c', script, ...program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...testVariables, DATABASE_URL: postgres.url, DATA_DIR: folder, PORT: String(port) },
    });
    const ended = new Promise((resolve) => start.once('exit', resolve));
    try {
      await new Promise<void>((resolve, reject) => {
        void ended.then(() => reject(new Error('it ended before it was ready')));
        start.stdout.on('data', (line) => String(line).includes('is ready') && resolve());
      });
      const client = await openHouse(`http://127.0.0.1:${port}`, administrator);
      expect((await client.ended((await client.hand(soundPdf('room'))).id)).failure).toBeNull();

      const worker = pidBelow(start.pid ?? 0, 'apps/worker/');
      process.kill(worker, 'SIGSTOP');
      const { id } = await client.hand(soundPdf('acknowledged'));
      // Only processes in the namespace see the mount; others reach it below /proc/<pid>/root.
      const filler = `/proc/${start.pid}/root${folder}/filler`;
      const fill = () => expect(() => appendFileSync(filler, Buffer.alloc(64 * 2 ** 20))).toThrow('ENOSPC');
      fill();
      await expect(client.hand(soundPdf('refused'), { key: 'refused' })).rejects.toThrow(/^507 .*storage\.full/);
      process.kill(worker, 'SIGCONT');
      const codes = async () => {
        // Removed here, so that the clean-up after the test does not depend on it.
        fill();
        const runs = await database.asHost((tx) => tx.stepRun.findMany({ where: { sessionId: id } }));
        return runs.map(({ errorCode }) => errorCode);
      };
      await expect.poll(codes).toContain('STORAGE_FULL');
      expect(await client.call('GET', `/sessions/${id}`)).toMatchObject({ status: 'Processing', failure: null });

      rmSync(filler);
      expect((await client.ended(id)).failure).toBeNull();
      const again = await client.hand(soundPdf('refused'), { key: 'refused' });
      expect(again.isDuplicate).toBe(false);
      expect((await client.ended(again.id)).failure).toBeNull();
      expect(pidBelow(start.pid ?? 0, 'apps/worker/')).toBe(worker);
    } finally {
      start.kill('SIGTERM');
      await ended;
      await database.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
