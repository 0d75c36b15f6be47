import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@pdf2press/config/free-port';
import type { SessionSource } from '@pdf2press/contract';
import { contentOf } from './content.ts';
import type { FileServer } from './file-server.ts';

/** The programs of the API and of the worker as a house starts them; they are built before tests run. */
const programOf = (app: 'api' | 'worker') =>
  fileURLToPath(new URL(`../../../${app}/dist/joined/main.js`, import.meta.url));
const person = { email: 'ana@example.com', password: 'Proof-4-Press!' };
/** A program that is not ready by then does not come up at all, milliseconds. */
const patience = 300_000;

/** The API as a process that is killed and comes back under the same address. */
export interface ApiProcess {
  origin: string;
  child(): ChildProcess;
  /** Kills it and starts it anew; resolves when it answers. */
  again(): Promise<void>;
  close(): Promise<void>;
}

interface HouseEnv {
  DATABASE_URL: string;
  DATA_DIR: string;
  OUTBOUND_ALLOWED_HOSTS: string;
  /** The mail server of the house, where it has one. */
  SMTP_HOST?: string;
  SMTP_PORT?: string;
  SMTP_ENABLE_SSL?: 'false';
}

/** A worker as a process that is killed and comes back. */
export interface WorkerProcess {
  again(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a worker, and starts it anew whenever it ends, as whoever supervises it does. */
export function startWorker(env: HouseEnv): WorkerProcess {
  let child: ChildProcess;
  let isClosing = false;
  const start = () => {
    child = spawn(process.execPath, [programOf('worker')], {
      env: { ...env, PATH: process.env.PATH, NODE_NO_WARNINGS: '1', WORKER_SLOTS: '2', LOG_LEVEL: 'warn' },
      stdio: 'ignore',
    });
    child.once('exit', () => {
      if (!isClosing) start();
    });
  };
  const end = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  start();
  return {
    again: end,
    close: () => {
      isClosing = true;
      return end();
    },
  };
}

/** Starts the API over a database and a data folder that may serve other processes as well. */
export async function startApi(env: HouseEnv): Promise<ApiProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(process.execPath, [programOf('api')], {
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

interface Doors {
  key: string;
  /** Of a workflow that takes a file and ends, and of one that holds it until somebody decides. */
  workflowId: string;
  holdId: string;
  slug: string;
}

const resultOf = async <T>(answer: Response): Promise<T> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return (JSON.parse(text) as { result: T }).result;
};

/** A key for programs, an upload page and two workflows of the API's own company. */
export async function openDoors({ origin }: ApiProcess): Promise<Doors> {
  const ask = async <T>(path: string, token: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> =>
    resultOf<T>(
      await fetch(`${origin}/api${path}`, {
        ...{ method, ...(body && { body: JSON.stringify(body) }) },
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      }),
    );
  const { authToken } = await ask<{ authToken: string }>('/TokenAuth/login', '', person);
  // The samples are for people, and checking them takes longer than many files of a test.
  const samples = await ask<{ items: { id: string }[] }>('/sessions', authToken);
  for (const { id } of samples.items) await ask(`/sessions/${id}`, authToken, undefined, 'DELETE');
  const publish = async (name: string, kinds: readonly string[]): Promise<string> => {
    const made = await ask<{ id: string; draftRevision: number }>('/workflows', authToken, { name, template: 'empty' });
    const steps = kinds.map((kind, at) => ({ id: kind, kind, settings: {}, position: { x: at * 280, y: 0 } }));
    const edges = kinds
      .slice(1)
      .map((to, at) => ({ id: to, from: kinds[at], outcome: at === 0 ? 'done' : 'continue', to }));
    const draft = { steps, edges, variables: [] };
    await ask(`/workflows/${made.id}`, authToken, { name, draft, draftRevision: made.draftRevision }, 'PUT');
    await ask(`/workflows/${made.id}/publish`, authToken, {});
    return made.id;
  };
  const workflowId = await publish('Takes', ['Inject', 'Complete']);
  const holdId = await publish('Holds', ['Inject', 'Hold', 'Complete']);
  const permissions = ['sessions.inject', 'sessions.view', 'sessions.files.replace', 'sessions.route.decide'];
  const made = await ask<{ key: string }>('/api-keys', authToken, { name: 'shop', permissions });
  const slug = 'acme';
  const uploadPage = { isPublic: true, slug, workflowIds: [workflowId], defaultWorkflowId: workflowId };
  await ask('/organizations', authToken, { name: 'Acme', color: '#0d9494', uploadPage });
  return { key: made.key, workflowId, holdId, slug };
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

/** A way by which somebody sends a file; `send` resolves when it was told that the file is taken. */
interface WayOfApi {
  way: string;
  send: (name: string) => Promise<unknown>;
  /** What somebody does with what is held, one after the other, once all were sent. */
  decided?: () => Promise<void>;
  /** Where the session says that it came from. */
  source: SessionSource;
}

/** The ways by which a file comes to the API. */
export function waysOfApi(api: ApiProcess, { key, workflowId, holdId, slug }: Doors, files: FileServer): WayOfApi[] {
  const { origin } = api;
  const authorization = `Bearer ${key}`;
  const json = (path: string, body: object, headers: Record<string, string> = {}) =>
    insist(() =>
      fetch(`${origin}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: within(),
      }),
    );
  const form = (path: string, name: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    body.append('file', new Blob([new Uint8Array(contentOf(name))]), name);
    return fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { authorization, ...headers },
      body,
      signal: within(),
    });
  };
  /** Hands in the bytes under a key of the program's own, and repeats that. Resolves to the session's id. */
  const hand = async (name: string, fields: Record<string, string>): Promise<string> =>
    (await resultOf<{ id: string }>(await insist(() => form('/sessions', name, fields, { 'idempotency-key': name }))))
      .id;
  const read = async (id: string) =>
    resultOf<{ status: string; fileName: string }>(
      await insist(() => fetch(`${origin}/api/sessions/${id}`, { headers: { authorization }, signal: within() })),
    );
  /** Waits for the hold and decides there, until the session says so: an answer that was lost may have done it. */
  async function decide(
    id: string,
    isDone: (session: { status: string; fileName: string }) => boolean,
    ask: () => Promise<Response>,
  ): Promise<void> {
    for (let session = await read(id); !isDone(session); session = await read(id)) {
      const answer = session.status === 'OnHold' ? await ask().catch(() => null) : null;
      if (answer && !answer.ok && !isPassing(answer.status)) throw new Error(`${answer.status} ${await answer.text()}`);
      await pause(300);
    }
  }
  /**
   * A way whose files are held first. They are all handed in before anybody decides: whoever waited for each would wait for
   * all that the worker has before it.
   */
  function held(first: (name: string) => string, decideOn: (id: string, name: string) => Promise<void>) {
    const open: { id: string; name: string }[] = [];
    return {
      send: async (name: string) => open.push({ id: await hand(first(name), { workflowId: holdId }), name }),
      decided: async () => {
        for (const { id, name } of open) await decideOn(id, name);
      },
    };
  }
  return [
    { way: 'API, as bytes', source: 'ExternalApi', send: (name) => hand(name, { workflowId }) },
    // A program uploads first, and names the upload in a batch; what was not taken is named again.
    {
      way: 'API, uploads named in a batch',
      source: 'ExternalApi',
      send: async (name) => {
        const uploadId = await upload(origin, '/uploads', name, contentOf(name), { authorization });
        for (let isTaken = false; !isTaken; ) {
          const answer = await json('/sessions/batch', { items: [{ workflowId, uploadId }] }, { authorization });
          const [told] = await resultOf<{ errors: { code: string }[] }[]>(answer);
          const refused = told?.errors.filter(({ code }) => code !== 'service.unavailable') ?? [];
          if (refused.length > 0) throw new Error(JSON.stringify(refused));
          isTaken = told?.errors.length === 0;
        }
      },
    },
    // Somebody uses the upload page.
    {
      way: 'upload page',
      source: 'PublicFileUpload',
      send: async (name) => {
        const begun = await json(`/upload-pages/${slug}/visits`, {});
        const { visit } = await resultOf<{ visit: string }>(begun);
        const file = await upload(origin, `/upload-visits/${visit}/files`, name, contentOf(name), {});
        const sender = { name: 'Ben', email: 'ben@customer.example' };
        const answer = await json(`/upload-visits/${visit}/send`, { workflowId, files: [file], ...sender });
        const { files: told } = await resultOf<{ files: { problem: object | null }[] }>(answer);
        if (told[0]?.problem !== null) throw new Error(JSON.stringify(told));
      },
    },
    // A program names an address; the worker fetches it.
    {
      way: 'API, by address',
      source: 'ExternalApi',
      send: (name) =>
        json(
          '/sessions',
          { workflowId, fileUrl: files.show(name, contentOf(name)), fileName: name },
          { authorization, 'idempotency-key': name },
        ),
    },
    // A shop hands in an order.
    {
      way: 'Pressero',
      source: 'ExternalApi',
      send: (name) => hand(name, { workflowId, shop: 'Pressero', order: JSON.stringify({ id: name, quantity: 500 }) }),
    },
    // A file that is held goes on in another workflow.
    {
      way: 'previous workflow',
      source: 'InjectedFromPreviousWorkflow',
      ...held(String, async (id) => {
        const to = { method: 'POST', body: JSON.stringify({ workflowId }) };
        const headers = { authorization, 'content-type': 'application/json' };
        const isDone = ({ status }: { status: string }) => status === 'Rerouted';
        await decide(id, isDone, () =>
          fetch(`${origin}/api/sessions/${id}/reroute`, { ...to, headers, signal: within() }),
        );
      }),
    },
    // A file that is held is replaced by another one.
    {
      way: 'replaced file',
      source: 'ReplacedFileAndRestartedWorkflow',
      ...held(
        (name) => `first-${name}`,
        (id, name) =>
          decide(
            id,
            ({ fileName }) => fileName === name,
            () => form(`/sessions/${id}/file`, name, {}),
          ),
      ),
    },
  ];
}
