import { setTimeout as sleep } from 'node:timers/promises';

/** What a test reads of a session. */
export interface SeenSession {
  id: string;
  status: string;
  steps: { kind: string; status: string }[];
  files: { kind: string; name: string; downloadUrl: string }[];
  failure: { code: string; message: string } | null;
}

export interface HouseClient {
  /** The `result` of an answer. @throws Error with status and body where the call failed */
  call<T>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<T>;
  /** The answer as it came. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  hand(bytes: Uint8Array, options?: { name?: string; key?: string }): Promise<{ id: string; isDuplicate: boolean }>;
  /** The session once it has ended. */
  ended(id: string): Promise<SeenSession>;
  download(session: SeenSession, kind: string): Promise<Buffer>;
}

const ends = new Set(['Completed', 'CompletedWithWarnings', 'Failed', 'CanceledByUser', 'CanceledByOperator']);

/** Repeats a request while the product restarts: nobody listens then, or the answer is 503. */
async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask().catch((error: unknown) => {
      if (tries > 600) throw error;
      return undefined;
    });
    if (answer && (answer.status !== 503 || tries > 600)) return answer;
    await sleep(200);
  }
}

/**
 * Calls a running product over HTTP with an API key, repeating requests while it restarts. In a house that `isNew` the sample
 * files, which it checks at once, are deleted.
 */
export async function openHouse(
  origin: string,
  administrator: { email: string; password: string },
  { isNew = false } = {},
): Promise<HouseClient> {
  let authorization = '';
  const ask = (path: string, init: RequestInit = {}) =>
    patiently(() =>
      fetch(path.startsWith('/api/') ? origin + path : `${origin}/api${path}`, {
        ...init,
        headers: { authorization, ...(init.headers as Record<string, string> | undefined) },
      }),
    );
  const resultOf = async <T>(answer: Response): Promise<T> => {
    const { success, result } = (await answer.clone().json()) as { success: boolean; result: T };
    if (!success) throw new Error(`${answer.status} ${await answer.text()}`);
    return result;
  };
  const call = async <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    resultOf<T>(
      await ask(path, {
        method,
        headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  const { authToken } = await call<{ authToken: string }>('POST', '/TokenAuth/login', administrator);
  authorization = `Bearer ${authToken}`;
  // Checking the sample files takes longer than most tests.
  const samples = isNew ? await call<{ items: { id: string }[] }>('GET', '/sessions') : { items: [] };
  for (const { id } of samples.items) await call('DELETE', `/sessions/${id}`);
  const files = ['sessions.files.download', 'sessions.files.replace'];
  const permissions = ['sessions.view', 'sessions.inject', ...files, 'workflows.view'];
  const { key } = await call<{ key: string }>('POST', '/api-keys', { name: 'test', permissions });
  authorization = `Bearer ${key}`;
  const workflows = await call<{ items: { id: string; name: string }[] }>('GET', '/workflows');
  const workflowId = workflows.items.find(({ name }) => name.startsWith('Sample'))?.id ?? '';

  const client: HouseClient = {
    call,
    ask,
    hand: async (bytes, { name = 'test.pdf', key: idempotencyKey } = {}) => {
      const form = () => {
        const fields = new FormData();
        fields.set('workflowId', workflowId);
        fields.set('file', new Blob([new Uint8Array(bytes)]), name);
        return fields;
      };
      const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
      const answer = await patiently(() =>
        fetch(`${origin}/api/sessions`, { method: 'POST', headers: { authorization, ...headers }, body: form() }),
      );
      return resultOf(answer);
    },
    ended: async (id) => {
      for (const deadline = Date.now() + 250_000; ; ) {
        const session = await call<SeenSession>('GET', `/sessions/${id}`, undefined, { 'accept-language': 'fr' });
        if (ends.has(session.status)) return session;
        if (Date.now() > deadline)
          throw new Error(`${id} is still ${session.status}: ${JSON.stringify(session.steps)}`);
        await sleep(200);
      }
    },
    download: async (session, kind) => {
      const file = session.files.find((each) => each.kind === kind);
      const answer = await ask(file?.downloadUrl ?? '');
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return Buffer.from(await answer.arrayBuffer());
    },
  };
  return client;
}
