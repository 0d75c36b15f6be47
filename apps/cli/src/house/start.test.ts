import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import { freePort } from '@pdf2press/config/free-port';
import { startTestS3 } from '@pdf2press/storage/testing';
import { afterEach, expect, test } from 'vitest';
import { repositoryRoot } from './root.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const folders: string[] = [];
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function start(env: Record<string, string>) {
  const dataDir = makeTemporaryFolder('start');
  folders.push(dataDir);
  const child = spawn(process.execPath, [path.join(repositoryRoot, 'apps/cli/bin/pdf2press.js'), 'start'], {
    env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', DATA_DIR: dataDir, ...env },
  });
  running.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const says = async (pattern: RegExp) => {
    for (let tries = 0; !pattern.test(output); tries += 1) {
      if (child.exitCode !== null || tries > 4_000) throw new Error(`never said ${pattern}:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { child, dataDir, exit, says, output: () => output };
}

/** Processes with the data folder in their environment or arguments: those that the start left behind. */
const leftBehind = (dataDir: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const about = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
        return about.includes(dataDir);
      } catch {
        return false; // it has ended, or belongs to another user
      }
    });

test('a wrong value is reported in one line with its variable, and nothing is left running', async () => {
  const wrong = [
    ['PORT', 'eighty'],
    ['HOST', 'nobody.invalid'],
    ['DATA_DIR', '/dev/null/data'],
    ['DATA_DIR', '/proc/data'],
    ['DATA_DIR', path.join(import.meta.filename, 'a/b')],
    ['DATABASE_URL', 'mysql://nowhere'],
    ['DATABASE_URL', 'postgresql://app@127.0.0.1:1/app'],
    ['REDIS_URL', 'not a url'],
    ['S3_ENDPOINT', 'not a url'],
    ['SMTP_PORT', 'many'],
  ] as const;
  for (const [name, value] of sampled(wrong, 2)) {
    const { exit, output, dataDir } = start({ PORT: String(await freePort()), [name]: value });
    expect(await exit, output()).not.toBe(0);
    const lines = output()
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    expect(lines, output()).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
    expect(output()).not.toMatch(/^\s+at .+:\d+/m);
    expect(leftBehind(dataDir)).toEqual([]);
  }
});

test('a store that cannot be used is reported in one line with its variable, and nothing is left running', async () => {
  const folder = makeTemporaryFolder('start-s3');
  folders.push(folder);
  const s3 = await startTestS3(folder);
  /** Accepts connections and never answers. */
  const hole = net.createServer();
  await once(hole.listen(0, '127.0.0.1'), 'listening');
  /** A web server that is not an S3 store; below /S3 it answers as S3 does to a wrong secret (the S3 of the tests accepts any). */
  const page = http.createServer(({ url }, answer) => {
    const isStore = url?.startsWith('/S3/');
    answer.writeHead(isStore ? 403 : 405, { 'content-type': 'application/xml' });
    answer.end(isStore ? '<Error><Code>SignatureDoesNotMatch</Code></Error>' : '<html></html>');
  });
  await once(page.listen(0, '127.0.0.1'), 'listening');
  const at = (server: net.Server) => `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const sound = {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
  try {
    const stores = [
      [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, 'S3_ENDPOINT 127.0.0.1:1 does not answer (ECONNREFUSED).'],
      [
        { S3_ENDPOINT: 'http://nobody.invalid' },
        /^S3_ENDPOINT nobody\.invalid does not answer \((ENOTFOUND|EAI_AGAIN)\)\.$/,
      ],
      [{ S3_ENDPOINT: `http://${at(hole)}` }, `S3_ENDPOINT ${at(hole)} does not answer (within 8 seconds).`],
      [{ S3_ENDPOINT: `http://${at(page)}` }, `S3_ENDPOINT ${at(page)} does not answer as S3 does (405).`],
      [{ S3_BUCKET: 'none' }, 'S3_BUCKET none does not exist (NoSuchBucket).'],
      [{ S3_ACCESS_KEY_ID: 'nobody' }, 'S3_ACCESS_KEY_ID is refused (InvalidAccessKeyId).'],
      [{ S3_ENDPOINT: `http://${at(page)}/S3` }, 'S3_SECRET_ACCESS_KEY is refused (SignatureDoesNotMatch).'],
    ] as const;
    for (const [wrong, line] of sampled(stores, 2)) {
      const { exit, output, dataDir } = start({ PORT: String(await freePort()), ...sound, ...wrong });
      expect(await exit, output()).toBe(1);
      expect(output().trim()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
      expect(leftBehind(dataDir)).toEqual([]);
    }
  } finally {
    hole.close();
    page.close();
    await s3.stop();
  }
});

test('a port in use is reported in one line, and nothing is started', async () => {
  const port = await freePort();
  const other = net.createServer().listen(port, '127.0.0.1');
  const { exit, output, dataDir } = start({ PORT: String(port) });
  expect(await exit).toBe(1);
  other.close();
  expect(output().trim()).toBe(`PORT ${port} is in use by another program.`);
  expect(leftBehind(dataDir)).toEqual([]);
});

test('starts on an empty folder, prints its address and a set-up link, stops on SIGTERM, and starts again on the same data', async () => {
  const port = String(await freePort());
  const first = start({ PORT: port });
  await first.says(/pdf2press is ready: http:\/\/localhost:\d+/);
  await first.says(/\/setup/);
  expect((await fetch(`http://127.0.0.1:${port}/healthz/live`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/healthz/ready`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-type')).toContain('text/html');
  first.child.kill('SIGTERM');
  expect(await first.exit).toBe(0);
  expect(leftBehind(first.dataDir)).toEqual([]);

  const second = start({
    PORT: port,
    DATA_DIR: first.dataDir,
    PDF2PRESS_ADMIN_EMAIL: 'a@b.test',
    PDF2PRESS_ADMIN_PASSWORD: 'Proof-4-Press!',
  });
  await second.says(/pdf2press is ready/);
  const answer = await fetch(`http://127.0.0.1:${port}/api/TokenAuth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.test', password: 'Proof-4-Press!' }),
  });
  expect(await answer.json()).toMatchObject({ success: true, result: { expiresIn: expect.any(Number) } });
  second.child.kill('SIGINT');
  expect(await second.exit).toBe(0);
});
