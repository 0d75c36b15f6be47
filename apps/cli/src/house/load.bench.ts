import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRow, treeMemory } from '@pdf2press/config/bench';
import { freePort } from '@pdf2press/config/free-port';
import { type PictureFile, writePictures } from '../testing/picture-file.ts';
import { type Stack, startStack } from './stack.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const administrator = { email: 'bench@pdf2press.test', password: 'Proof-4-Press!' };

/** 5 MB. */
const standardFile: PictureFile = { pages: 4, columns: 645, rows: 646 };
const smallFile: PictureFile = { pages: 1, columns: 60, rows: 60 };
/** Files of the figure of sessions an hour. */
const standardSessions = 60;
const callsASecond = 50;
/** Small files that are handed in at once, and then an urgent one. */
const burst = 1_000;
/** Files that are on their way to the API at the same moment. */
const senders = 20;

type Call = <T>(method: string, path: string, body?: object | FormData) => Promise<T>;

/** How to call a product with these rights. */
const callerOf =
  (origin: string, authorization: string): Call =>
  async <T>(method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization, ...(body && !isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : body ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const isData = answer.headers.get('content-type')?.includes('json') === true;
    return (isData ? (JSON.parse(text) as { result: unknown }).result : null) as T;
  };

interface Step {
  id: string;
  kind: string;
  settings: object;
}
interface Workflow {
  id: string;
  draftRevision: number;
  draft: { steps: Step[]; edges: object[] };
}

const starter = (call: Call, template: string): Promise<Workflow> =>
  call('POST', '/workflows', { name: template, template, isPublished: true });

/** Inject, preflight, fix, impose, proof, complete: with the profiles that the templates bring. */
async function standardWorkflow(call: Call): Promise<string> {
  const made = [await starter(call, 'check-fix-check'), await starter(call, 'check-proof-impose')];
  const settingsOf = (kind: string) =>
    made.flatMap(({ draft }) => draft.steps).find((step) => step.kind === kind)?.settings ?? {};
  const kinds = ['Inject', 'Preflight', 'Fix', 'Impose', 'Proof', 'Complete'];
  const steps = [...kinds, 'Cancel'].map((kind, at) => ({
    ...{ id: kind, kind, name: '', settings: settingsOf(kind) },
    position: { x: at * 240, y: 0 },
  }));
  const edge = (from: string, outcome: string, to: string) => ({ id: `${from}-${outcome}`, from, outcome, to });
  const edges = kinds.slice(1).map((to, at) => edge(kinds[at] ?? '', kinds[at] === 'Proof' ? 'Approved' : 'done', to));
  const { id, draftRevision } = await call<Workflow>('POST', '/workflows', { name: 'Standard' });
  const draft = { steps, edges: [...edges, edge('Proof', 'Declined', 'Cancel')] };
  await call('PUT', `/workflows/${id}`, { name: 'Standard', draft, draftRevision });
  await call('POST', `/workflows/${id}/publish`);
  return id;
}

interface House {
  call: Call;
  standardId: string;
  checkId: string;
}

/** Makes the workflows, and a key that may do what the load does. */
async function openHouse(origin: string): Promise<House> {
  const { authToken } = await callerOf(origin, '')<{ authToken: string }>('POST', '/TokenAuth/login', administrator);
  const call = callerOf(origin, `Bearer ${authToken}`);
  const standardId = await standardWorkflow(call);
  const { id: checkId } = await starter(call, 'check');
  const permissions = [
    ...['sessions.view', 'sessions.inject', 'sessions.discuss', 'proofs.view', 'proofs.decideOnBehalf'],
    ...['workflows.view', 'dashboard.view'],
  ];
  const { key } = await call<{ key: string }>('POST', '/api-keys', { name: 'load', permissions });
  return { call: callerOf(origin, `Bearer ${key}`), standardId, checkId };
}

/** A file's bytes, other ones for each number: what is known of a file is not looked for again. */
async function fileMaker(folder: string, file: PictureFile): Promise<(no: number) => Buffer> {
  const made = path.join(folder, `${file.pages}.pdf`);
  await writePictures(made, file);
  const bytes = await readFile(made);
  return (no) => Buffer.concat([bytes, Buffer.from(`%${no}\n`)]);
}

async function hand({ call }: House, workflowId: string, name: string, bytes: Buffer, priority = 'Normal') {
  const form = new FormData();
  for (const [field, value] of Object.entries({ workflowId, priority })) form.set(field, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return (await call<{ id: string }>('POST', '/sessions', form)).id;
}

/** Does it with each number below `count`, some at a time. */
async function each(count: number, act: (no: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let no = next++; no < count; no = next++) await act(no);
  };
  await Promise.all(Array.from({ length: senders }, one));
}

/** How many sessions a workflow has in these states. */
const countOf = async ({ call }: House, workflowId: string, ...statuses: string[]): Promise<number> => {
  const query = new URLSearchParams({ page: '1', pageSize: '1', workflowId });
  for (const status of statuses) query.append('status', status);
  return (await call<{ total: number }>('GET', `/sessions?${query}`)).total;
};

interface Answers {
  /** Milliseconds, ascending. */
  times: number[];
  failed: number;
}

/**
 * People at their screens, who go from the list to a session and back and write a comment: so many calls a second, four in
 * five of them reading, whether or not those before are answered. Ends when `isOver`.
 */
async function people({ call }: House, ids: readonly string[], isOver: () => boolean): Promise<Answers> {
  const kinds: readonly ((id: string) => Parameters<Call>)[] = [
    () => ['GET', '/sessions?page=1&pageSize=25'],
    (id) => ['GET', `/sessions/${id}`],
    (id) => ['GET', `/sessions/${id}/findings/counts`],
    (id) => ['GET', `/sessions/${id}/findings`],
    (id) => ['POST', `/sessions/${id}/comments`, { text: 'Please hurry.' }],
    () => ['GET', '/sessions?page=1&pageSize=25&status=OnHold'],
    (id) => ['GET', `/sessions/${id}/events`],
    () => ['GET', '/dashboard?period=thisMonth'],
    (id) => ['GET', `/sessions/${id}/proofs`],
    (id) => ['PUT', `/sessions/${id}/assignee`, { assigneeId: null }],
  ];
  const answers: Answers = { times: [], failed: 0 };
  const under = new Set<Promise<void>>();
  const began = performance.now();
  for (let no = 0; !isOver(); no += 1) {
    const due = began + (no * 1000) / callsASecond;
    await sleep(Math.max(0, due - performance.now()));
    const id = ids[no % ids.length] ?? '';
    const [method, path, body] = kinds[no % kinds.length]?.(id) ?? ['GET', '/sessions'];
    // From when it was due: an answer that keeps the next call waiting counts for both.
    const asked = call(method, path, body)
      .then(() => void answers.times.push(performance.now() - due))
      .catch((error: unknown) => {
        console.error(error);
        answers.failed += 1;
      })
      .finally(() => under.delete(asked));
    under.add(asked);
  }
  await Promise.all(under);
  answers.times.sort((a, b) => a - b);
  return answers;
}

/** Approves each proof that waits, for its house, until that many sessions have ended. */
async function approve(house: House, count: number): Promise<void> {
  const approved = new Set<string>();
  while ((await countOf(house, house.standardId, 'Completed', 'CompletedWithWarnings')) < count) {
    const waiting = await house.call<{ items: { id: string }[] }>(
      'GET',
      `/sessions?page=1&pageSize=100&workflowId=${house.standardId}&status=OnHold`,
    );
    for (const { id } of waiting.items.filter((session) => !approved.has(session.id))) {
      const [proof] = await house.call<{ id: string; closedAt: string | null }[]>('GET', `/sessions/${id}/proofs`);
      if (!proof || proof.closedAt !== null) continue;
      const decision = { decision: 'Approved', reason: 'Under load' };
      await house.call('POST', `/sessions/${id}/proofs/${proof.id}/decision`, decision);
      approved.add(id);
    }
    const failed = await countOf(house, house.standardId, 'Failed');
    if (failed > 0) throw new Error(`${failed} sessions failed under load`);
    await sleep(250);
  }
}

async function benchStandard(house: House, folder: string): Promise<BenchRow[]> {
  const file = await fileMaker(folder, standardFile);
  // Its first session, so that the people have one to look at, and nothing is measured that happens once.
  const first = await hand(house, house.standardId, 'first.pdf', file(-1));
  await approve(house, 1);
  let isOver = false;
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, treeMemory(process.pid) - process.memoryUsage.rss());
  }, 500);
  const ids = [first];
  const watching = people(house, ids, () => isOver);
  const from = performance.now();
  await each(standardSessions, async (no) => {
    ids.push(await hand(house, house.standardId, `standard-${no}.pdf`, file(no)));
  });
  await approve(house, standardSessions + 1);
  const hours = (performance.now() - from) / 3_600_000;
  isOver = true;
  clearInterval(timer);
  const { times, failed } = await watching;
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  const meanwhile = `while it does and ${callsASecond} calls come a second`;
  return [
    {
      name: `load: sessions of 5 MB, 4 pages: preflight, fix, impose, proof, while ${callsASecond} calls come a second`,
      ...{ ours: standardSessions / hours, unit: 'sessions/h', limit: 1_200, isFloor: true },
    },
    { name: `load: half of the answers ${meanwhile}`, ours: at(0.5), unit: 'ms', limit: 40 },
    { name: `load: 95 of 100 answers ${meanwhile}`, ours: at(0.95), unit: 'ms', limit: 250 },
    { name: `load: 99 of 100 answers ${meanwhile}`, ours: at(0.99), unit: 'ms', limit: 800 },
    { name: 'load: calls that failed meanwhile', ours: failed, unit: 'times', limit: times.length / 1_000 },
    { name: 'load: memory of all processes meanwhile', ours: memory / 1e6, unit: 'MB', limit: 4_000 },
  ];
}

async function benchBurst(house: House, stack: Stack, folder: string): Promise<BenchRow[]> {
  const file = await fileMaker(folder, smallFile);
  const pids = () => stack.apps.map(({ pid }) => pid).join();
  const before = pids();
  const seconds = (from: number) => (performance.now() - from) / 1000;
  const from = performance.now();
  await each(burst, (no) => hand(house, house.checkId, `burst-${no}.pdf`, file(no)));
  while ((await countOf(house, house.checkId)) < burst) await sleep(100);
  const visible = seconds(from);
  const urgentAt = performance.now();
  const urgent = await hand(house, house.checkId, 'urgent.pdf', file(burst), 'Urgent');
  const hasStarted = async () => {
    const { steps } = await house.call<{ steps: { startedAt: string | null }[] }>('GET', `/sessions/${urgent}`);
    return steps.some(({ startedAt }) => startedAt !== null);
  };
  while (!(await hasStarted())) await sleep(50);
  const started = seconds(urgentAt);
  // Those with errors wait for a person, which is what they should do.
  while ((await countOf(house, house.checkId, 'InQueue', 'Processing')) > 0) await sleep(1_000);
  const drained = seconds(from) / 60;
  const failed = await countOf(house, house.checkId, 'Failed');
  if (failed > 0) throw new Error(`${failed} sessions of the burst failed`);
  return [
    { name: 'load: 1 000 files that come at once are all listed after', ours: visible, unit: 's', limit: 300 },
    { name: 'load: an urgent file behind them starts after', ours: started, unit: 's', limit: 30 },
    { name: 'load: they have all been checked after', ours: drained * 60, unit: 's', limit: 3_600 },
    {
      name: 'load: processes that were started again meanwhile',
      ours: before === pids() ? 0 : 1,
      unit: 'times',
      limit: 0,
    },
  ];
}

/** What the whole product bears on this machine, with one worker. */
export async function bench(): Promise<BenchRow[]> {
  const folder = makeTemporaryFolder('bench');
  const stack = await startStack({
    port: await freePort(),
    postgresPort: await freePort(),
    dataDir: path.join(folder, 'data'),
    databaseUrl: undefined,
    env: {
      REDIS_URL: '',
      RATE_LIMIT_FACTOR: '1000',
      PDF2PRESS_ADMIN_EMAIL: administrator.email,
      PDF2PRESS_ADMIN_PASSWORD: administrator.password,
    },
  });
  try {
    const house = await openHouse(stack.address.replace('localhost', '127.0.0.1'));
    return [...(await benchStandard(house, folder)), ...(await benchBurst(house, stack, folder))];
  } finally {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
