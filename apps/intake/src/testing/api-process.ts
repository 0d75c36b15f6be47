import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@pdf2press/config/free-port';

/** The program of the API as a house starts it; it is built before tests run. */
const main = fileURLToPath(new URL('../../../api/dist/joined/main.js', import.meta.url));
const person = { email: 'ana@example.com', password: 'Proof-4-Press!' };
/** A program that is not ready by then does not come up at all, milliseconds. */
const patience = 120_000;

/** The API as a process that is killed and comes back under the same address. */
export interface ApiProcess {
  origin: string;
  child(): ChildProcess;
  /** Kills it and starts it anew; resolves when it answers. */
  again(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the API over a database and a data folder that may serve other processes as well. */
export async function startApi(env: { DATABASE_URL: string; DATA_DIR: string }): Promise<ApiProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(process.execPath, [main], {
      env: {
        ...env,
        ...{ PATH: process.env.PATH, NODE_NO_WARNINGS: '1', PORT: String(port), CAPTCHA_PROVIDER: 'off' },
        ...{ RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'info' },
        ...{ PDF2PRESS_ADMIN_EMAIL: person.email, PDF2PRESS_ADMIN_PASSWORD: person.password },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part) => (said = `${said}${part}`.slice(-4_000)));
    const isReady = () =>
      fetch(`${origin}/healthz/ready`, { signal: AbortSignal.timeout(10_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const deadline = Date.now() + patience; !(await isReady()); await pause(100))
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`the API does not start (${child.exitCode ?? 'no answer'}): ${said}`);
  };
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    origin,
    child: () => child,
    again: async () => {
      await end();
      await start();
    },
    close: end,
  };
}

interface Page {
  key: string;
  workflowId: string;
  slug: string;
}

const resultOf = async <T>(answer: Response): Promise<T> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return (JSON.parse(text) as { result: T }).result;
};

/** A key for programs, and an upload page, both for the first workflow of the API's own company. */
export async function openDoors({ origin }: ApiProcess): Promise<Page> {
  const ask = async <T>(path: string, token: string, body?: object): Promise<T> =>
    resultOf<T>(
      await fetch(`${origin}/api${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      }),
    );
  const { authToken } = await ask<{ authToken: string }>('/TokenAuth/login', '', person);
  const [workflow] = (await ask<{ items: { id: string }[] }>('/workflows', authToken)).items;
  const workflowId = workflow?.id ?? '';
  const made = await ask<{ key: string }>('/api-keys', authToken, { name: 'shop', permissions: ['sessions.inject'] });
  const slug = 'acme';
  const uploadPage = { isPublic: true, slug, workflowIds: [workflowId], defaultWorkflowId: workflowId };
  await ask('/organizations', authToken, { name: 'Acme', color: '#0d9494', uploadPage });
  return { key: made.key, workflowId, slug };
}

/** Answers after which a sender tries again: it is being started, out of order, or its earlier connection still counts. */
const isPassing = (status: number) => status >= 500 || status === 409 || status === 423 || status === 429;

/** As senders do that know of bad lines: asks again until there is an answer, less and less often. @throws Error for a refusal */
async function insist(ask: () => Promise<Response>): Promise<Response> {
  for (let wait = 200; ; wait = Math.min(3_000, 2 * wait)) {
    const answer = await ask().catch(() => null);
    if (answer?.ok) return answer;
    if (answer && !isPassing(answer.status)) throw new Error(`${answer.status} ${await answer.text()}`);
    await pause(wait);
  }
}

/** A call that hangs is broken off, milliseconds. */
const within = () => AbortSignal.timeout(30_000);
const tus = { 'tus-resumable': '1.0.0' };

/** Uploads a file in a way that can be resumed. Resolves to its id. */
async function upload(origin: string, path: string, name: string, bytes: Buffer, headers: Record<string, string>) {
  const begun = await insist(() =>
    fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: {
        ...{ ...tus, ...headers, 'upload-length': String(bytes.length) },
        'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      },
      signal: within(),
    }),
  );
  const location = `${origin}${begun.headers.get('location')}`;
  const offset = async () =>
    Number(
      (
        await insist(() => fetch(location, { method: 'HEAD', headers: { ...tus, ...headers }, signal: within() }))
      ).headers.get('upload-offset'),
    );
  for (let at = 0; at < bytes.length; at = await offset())
    await fetch(location, {
      method: 'PATCH',
      headers: {
        ...{ ...tus, ...headers, 'upload-offset': String(at) },
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(bytes.subarray(at)),
      signal: within(),
    }).catch(() => undefined);
  return location.split('/').at(-1) ?? '';
}

/** The ways by which somebody sends a file to the API; each resolves when it was told that the file is taken. */
export function waysOfApi(api: ApiProcess, { key, workflowId, slug }: Page): ((name: string) => Promise<unknown>)[] {
  const { origin } = api;
  const authorization = `Bearer ${key}`;
  const bytesOf = (name: string) => Buffer.from(`%PDF-1.4 ${name} %%EOF`);
  const json = (path: string, body: object, headers: Record<string, string> = {}) =>
    insist(() =>
      fetch(`${origin}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: within(),
      }),
    );
  return [
    // A program hands in the bytes under a key of its own, and repeats that.
    (name) =>
      insist(() => {
        const form = new FormData();
        form.append('workflowId', workflowId);
        form.append('file', new Blob([new Uint8Array(bytesOf(name))]), name);
        const headers = { authorization, 'idempotency-key': name };
        return fetch(`${origin}/api/sessions`, { method: 'POST', headers, body: form, signal: within() });
      }),
    // A program uploads first, and names the upload in a batch; what was not taken is named again.
    async (name) => {
      const uploadId = await upload(origin, '/uploads', name, bytesOf(name), { authorization });
      for (let isTaken = false; !isTaken; ) {
        const answer = await json('/sessions/batch', { items: [{ workflowId, uploadId }] }, { authorization });
        const [told] = await resultOf<{ errors: { code: string }[] }[]>(answer);
        const refused = told?.errors.filter(({ code }) => code !== 'service.unavailable') ?? [];
        if (refused.length > 0) throw new Error(JSON.stringify(refused));
        isTaken = told?.errors.length === 0;
      }
    },
    // Somebody uses the upload page.
    async (name) => {
      const begun = await json(`/upload-pages/${slug}/visits`, {});
      const { visit } = await resultOf<{ visit: string }>(begun);
      const file = await upload(origin, `/upload-visits/${visit}/files`, name, bytesOf(name), {});
      const sender = { name: 'Ben', email: 'ben@customer.example' };
      const answer = await json(`/upload-visits/${visit}/send`, { workflowId, files: [file], ...sender });
      const { files } = await resultOf<{ files: { problem: object | null }[] }>(answer);
      if (files[0]?.problem !== null) throw new Error(JSON.stringify(files));
    },
  ];
}
