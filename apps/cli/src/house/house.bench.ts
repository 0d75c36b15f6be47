import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type BenchRow, median, treeMemory } from '@pdf2press/config/bench';
import { freePort } from '@pdf2press/config/free-port';
import { openVisit } from '@pdf2press/config/upload-client';
import { administrator, startBenchStack } from '../testing/bench-stack.ts';
import { openHouse } from '../testing/house-client.ts';
import { writePictures } from '../testing/picture-file.ts';
import { repositoryRoot } from './root.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

interface Start {
  /** Seconds from the command to the line that says it is ready, without what the registry took. */
  seconds: number;
  stop: () => Promise<void>;
}

/** `npm start` in a fresh checkout. */
async function npmStart(checkout: string, dataDir: string): Promise<Start> {
  const from = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', DATA_DIR: dataDir, PORT: String(await freePort()) },
  });
  let output = '';
  let installingAt: number | undefined;
  let installed = 0;
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Installing')) installingAt ??= performance.now();
      if (installingAt !== undefined && installed === 0 && output.includes('Building'))
        installed = performance.now() - installingAt;
      if (output.includes('is ready')) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  return {
    seconds: (performance.now() - from - installed) / 1000,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.once('close', () => resolve());
        // npm forwards SIGTERM but not SIGINT, which a terminal sends to the whole process group.
        child.kill('SIGTERM');
      }),
  };
}

async function benchStart(folder: string): Promise<BenchRow[]> {
  if (!existsSync(path.join(repositoryRoot, '.git'))) return [];
  const checkout = path.join(folder, 'checkout');
  execFileSync('git', ['clone', '--quiet', repositoryRoot, checkout]);
  const dataDir = path.join(folder, 'started');
  const cold = await npmStart(checkout, dataDir);
  await cold.stop();
  const warm = await npmStart(checkout, dataDir);
  await warm.stop();
  return [
    {
      name: 'start: from a fresh clone to ready, the registry’s speed aside',
      ours: cold.seconds,
      unit: 's',
      limit: 60,
    },
    { name: 'start: again, to ready', ours: warm.seconds, unit: 's', limit: 6 },
  ];
}

/** A file is handed in on a public upload page: how long from its last byte until the page says what is wrong with it. */
async function benchDoorCheck(origin: string, folder: string): Promise<BenchRow> {
  const call = async <T>(path: string, body?: object, authorization = ''): Promise<T> => {
    const answer = await fetch(`${origin}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { result: T }).result;
  };
  const { authToken } = await call<{ authToken: string }>('/TokenAuth/login', administrator);
  const authorization = `Bearer ${authToken}`;
  type Listed = { items: { id: string; name: string }[] };
  const { items } = await call<Listed>('/workflows', undefined, authorization);
  const workflowId = items.find(({ name }) => name.startsWith('Sample'))?.id ?? '';
  const uploadPage = { isPublic: true, slug: 'bench', workflowIds: [workflowId] };
  await call('/organizations', { name: 'Bench', uploadPage }, authorization);

  const file = path.join(folder, 'handed-in.pdf');
  await writePictures(file, handedIn);
  const bytes = await readFile(file);
  const seconds: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    // Other bytes each time: what is known of a file is not looked for again.
    const other = Buffer.concat([bytes, Buffer.from(`%${run}\n`)]);
    const visit = await openVisit(origin, 'bench');
    const id = await visit.upload({ name: 'card.pdf', size: other.length, content: Readable.from([other]) });
    const from = performance.now();
    let state = 'running';
    while (state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      state = await visit.stateOfCheck(workflowId, id);
    }
    if (state !== 'done') throw new Error(`the file was not checked: ${state}`);
    seconds.push((performance.now() - from) / 1000);
  }
  return {
    name: 'upload page: from the last byte of 20 MB, 4 pages, to the verdict',
    ours: median(seconds),
    unit: 's',
    limit: 10,
  };
}

/** 330 MB: random samples do not compress. */
const large = { pages: 200, columns: 740, rows: 743 };
/** 20 MB. */
const handedIn = { pages: 4, columns: 1_290, rows: 1_292 };

async function benchLargeSession(folder: string): Promise<BenchRow[]> {
  const { stack, origin } = await startBenchStack(folder, {
    // A visit of the upload page begins without a browser's proof of work.
    CAPTCHA_PROVIDER: 'off',
  });
  try {
    const doorCheck = await benchDoorCheck(origin, folder);
    const house = await openHouse(origin, administrator);
    const file = path.join(folder, 'large.pdf');
    await writePictures(file, large);
    const { id } = await house.hand(await readFile(file), { name: 'large.pdf' });
    const worker = stack.apps.find(({ name }) => name === 'worker');
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, treeMemory(worker?.pid ?? 0));
    }, 50);
    const session = await house.ended(id);
    clearInterval(timer);
    if (session.failure) throw new Error(`the session failed: ${session.failure.code}`);
    return [
      doorCheck,
      {
        name: 'session: memory of worker and children on a 330 MB file of 200 pages',
        ours: peak / 1e6,
        unit: 'MB',
        limit: 700,
      },
    ];
  } finally {
    await stack.stop();
  }
}

/** Time from command to running product, and the memory that a large file takes. */
export async function bench(): Promise<BenchRow[]> {
  const folder = makeTemporaryFolder('bench');
  try {
    return [...(await benchLargeSession(folder)), ...(await benchStart(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
