import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRow, treeMemory } from '@pdf2press/config/bench';
import { administrator, startBenchStack } from '../testing/bench-stack.ts';
import { type PictureFile, writePictures } from '../testing/picture-file.ts';
import type { Stack } from './stack.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** 5 MB. */
const standardFile: PictureFile = { pages: 4, columns: 645, rows: 646 };
const smallFile: PictureFile = { pages: 1, columns: 60, rows: 60 };
/** Standard sessions that have not ended, at any moment: enough that no slot of the worker is idle. */
const openSessions = 8;
/** Milliseconds before anything is counted, and then while it is. */
const warmUp = 15_000;
const counted = 75_000;
const callsASecond = 50;
/** Small files that are handed in at once, and then an urgent one. */
const burst = 1_000;
/** Files that are on their way to the API at the same moment. */
const senders = 20;
/** Milliseconds until the last call; what has not come to its end by then has no figure. Stopping takes half a minute at most. */
const hardLimit = 255_000;
/** Programs give up after so many milliseconds without an answer. */
const callLimit = 35_000;

type Call = <T>(method: string, path: string, body?: object | FormData) => Promise<T>;

/** How to call a product with these rights, until the signal ends it. */
const callerOf =
  (origin: string, authorization: string, signal: AbortSignal): Call =>
  async <T>(method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData;
    const asked = fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization, ...(body && !isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : body ? JSON.stringify(body) : null,
      signal: AbortSignal.any([signal, AbortSignal.timeout(callLimit)]),
    });
    const answer = await asked.catch((error: unknown) => {
      throw new Error(`${method} ${path}: ${error}`, { cause: error });
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
  /** Fires when the time for all of it is over. */
  signal: AbortSignal;
  /** Calls that were answered by anything but a success, or not at all. */
  refused: string[];
}

/** Makes the workflows, and a key that may do what the load does. */
async function prepareHouse(origin: string, signal: AbortSignal): Promise<House> {
  const signIn = callerOf(origin, '', signal);
  const { authToken } = await signIn<{ authToken: string }>('POST', '/TokenAuth/login', administrator);
  const call = callerOf(origin, `Bearer ${authToken}`, signal);
  const standardId = await standardWorkflow(call);
  const { id: checkId } = await starter(call, 'check');
  const permissions = [
    ...['sessions.view', 'sessions.inject', 'sessions.discuss', 'proofs.view', 'proofs.decideOnBehalf'],
    ...['workflows.view', 'dashboard.view'],
  ];
  const { key } = await call<{ key: string }>('POST', '/api-keys', { name: 'load', permissions });
  return { call: callerOf(origin, `Bearer ${key}`, signal), standardId, checkId, signal, refused: [] };
}

/** What it resolves to; undefined, and noted, where the call was refused. */
const noted = <T>({ refused, signal }: House, asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (!signal.aborted) refused.push(error instanceof Error ? error.message : String(error));
    return undefined;
  });

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

/** How many sessions a workflow has in these states. */
const countOf = async ({ call }: House, workflowId: string, ...statuses: string[]): Promise<number> => {
  const query = new URLSearchParams({ page: '1', pageSize: '1', workflowId });
  for (const status of statuses) query.append('status', status);
  return (await call<{ total: number }>('GET', `/sessions?${query}`)).total;
};

const kindsOfCalls: readonly ((id: string) => Parameters<Call>)[] = [
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

/**
 * People at their screens, who go from the list to a session and back and write a comment: so many calls a second, four in
 * five of them reading, whether or not those before are answered. Ends when `isOver`.
 * @returns milliseconds of the answers that were asked for after the warm-up, ascending
 */
async function people(house: House, ids: readonly string[], isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const under = new Set<Promise<void>>();
  const begun = performance.now();
  let shift = begun;
  for (let no = 0; !isOver(); no += 1) {
    let due = shift + (no * 1000) / callsASecond;
    await sleep(Math.max(0, due - performance.now()));
    // This process itself stood still. Calls of people who were at their screens meanwhile do not come all at once after it.
    const late = performance.now() - due;
    if (late > 1_000) {
      shift += late;
      due += late;
    }
    const [method, path, body] = kindsOfCalls[no % kindsOfCalls.length]?.(ids[no % ids.length] ?? '') ?? ['GET', ''];
    // From when it was due: an answer that keeps the next call waiting counts for both.
    const asked = noted(
      house,
      house.call(method, path, body).then(() => {
        if (due > begun + warmUp) times.push(performance.now() - due);
      }),
    ).finally(() => under.delete(asked));
    under.add(asked);
  }
  await Promise.all(under);
  return times.sort((a, b) => a - b);
}

interface Proof {
  id: string;
  closedAt: string | null;
  approval: { digest?: string };
}

/** Approves each proof that waits. */
async function approve(house: House, approved: Set<string>): Promise<void> {
  const waiting = await house.call<{ items: { id: string }[] }>(
    'GET',
    `/sessions?page=1&pageSize=100&workflowId=${house.standardId}&status=OnHold`,
  );
  for (const { id } of waiting.items.filter((session) => !approved.has(session.id))) {
    const [proof] = await house.call<Proof[]>('GET', `/sessions/${id}/proofs`);
    if (!proof || proof.closedAt !== null) continue;
    // Their pictures are RGB: the findings of it are accepted.
    const decision = { decision: 'Approved', reason: 'Under load', accepts: proof.approval.digest };
    await house.call('POST', `/sessions/${id}/proofs/${proof.id}/decision`, decision);
    approved.add(id);
  }
}

/** Standard sessions, a new one for each that ends, until `isOver`. Adds the ids to `ids`, and tells how many have ended. */
async function keepBusy(
  house: House,
  {
    file,
    ids,
    isOver,
    onEnded,
  }: {
    file: (no: number) => Buffer;
    ids: string[];
    isOver: () => boolean;
    onEnded: (count: number) => void;
  },
): Promise<void> {
  const approved = new Set<string>();
  const round = async () => {
    await approve(house, approved);
    const ended = await countOf(house, house.standardId, 'Completed', 'CompletedWithWarnings');
    onEnded(ended);
    const wanted = Math.max(0, ended + openSessions - ids.length);
    const handed = Array.from({ length: wanted }, async (_, at) => {
      const no = ids.length + at;
      const id = await noted(house, hand(house, house.standardId, `standard-${no}.pdf`, file(no)));
      if (id) ids.push(id);
    });
    await Promise.all(handed);
  };
  while (!isOver()) {
    await noted(house, round());
    await sleep(250);
  }
  const failed = (await noted(house, countOf(house, house.standardId, 'Failed'))) ?? 0;
  if (failed > 0) throw new Error(`${failed} sessions failed under load`);
}

async function benchStandard(house: House, folder: string): Promise<BenchRow[]> {
  const file = await fileMaker(folder, standardFile);
  const ids = [await hand(house, house.standardId, 'first.pdf', file(-1))];
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, treeMemory(process.pid) - process.memoryUsage.rss());
  }, 500);
  const from = performance.now();
  const isOver = () => house.signal.aborted || performance.now() - from > warmUp + counted;
  let endedBefore: number | undefined;
  let ended = 0;
  let [countedFrom, countedTo] = [from, from];
  const onEnded = (count: number) => {
    const now = performance.now();
    if (now - from < warmUp) return;
    if (endedBefore === undefined) [endedBefore, countedFrom] = [count, now];
    [ended, countedTo] = [count - endedBefore, now];
  };
  const watching = people(house, ids, isOver);
  try {
    await keepBusy(house, { file, ids, isOver, onEnded });
  } finally {
    clearInterval(timer);
  }
  const times = await watching;
  const hours = (countedTo - countedFrom) / 3_600_000;
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.POSITIVE_INFINITY;
  const meanwhile = `while they are made and ${callsASecond} calls come a second`;
  return [
    {
      name: `load: sessions of 5 MB, 4 pages: preflight, fix, impose, proof, while ${callsASecond} calls come a second`,
      ...{ ours: hours > 0 ? ended / hours : 0, unit: 'sessions/h', limit: 1_200, isFloor: true },
    },
    { name: `load: half of the answers ${meanwhile}`, ours: at(0.5), unit: 'ms', limit: 40 },
    { name: `load: 95 of 100 answers ${meanwhile}`, ours: at(0.95), unit: 'ms', limit: 250 },
    { name: `load: 99 of 100 answers ${meanwhile}`, ours: at(0.99), unit: 'ms', limit: 800 },
    { name: 'load: memory of all processes meanwhile', ours: memory / 1e6, unit: 'MB', limit: 4_000 },
  ];
}

/** Seconds since then until it is so; infinitely many where the time for all of it ends before. */
async function secondsUntil(house: House, from: number, isSo: () => Promise<boolean>): Promise<number> {
  while (!house.signal.aborted) {
    if (await noted(house, isSo())) return (performance.now() - from) / 1000;
    await sleep(100);
  }
  return Number.POSITIVE_INFINITY;
}

async function benchBurst(house: House, stack: Stack, folder: string): Promise<BenchRow[]> {
  const file = await fileMaker(folder, smallFile);
  const pids = () => stack.apps.map(({ pid }) => pid).join();
  const before = pids();
  const from = performance.now();
  let next = 0;
  const send = async () => {
    while (next < burst && !house.signal.aborted) {
      const no = next++;
      await noted(house, hand(house, house.checkId, `burst-${no}.pdf`, file(no)));
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  const visible = await secondsUntil(house, from, async () => (await countOf(house, house.checkId)) >= burst);
  const urgentAt = performance.now();
  const urgent = await noted(house, hand(house, house.checkId, 'urgent.pdf', file(burst), 'Urgent'));
  const started = await secondsUntil(house, urgentAt, async () => {
    const { steps } = await house.call<{ steps: { startedAt: string | null }[] }>('GET', `/sessions/${urgent}`);
    return steps.some(({ startedAt }) => startedAt !== null);
  });
  const again = before === pids() ? 0 : 1;
  return [
    { name: 'load: 1 000 files that come at once are all listed after', ours: visible, unit: 's', limit: 300 },
    { name: 'load: an urgent file behind them starts after', ours: started, unit: 's', limit: 30 },
    { name: 'load: processes that were started again meanwhile', ours: again, unit: 'times', limit: 0 },
  ];
}

/**
 * What the whole product bears on this machine, with one worker: standard sessions with people at their screens, then a burst.
 * Ends within five minutes, whatever the machine does.
 */
export async function bench(): Promise<BenchRow[]> {
  const folder = makeTemporaryFolder('bench');
  const signal = AbortSignal.timeout(hardLimit);
  try {
    const { stack, origin } = await startBenchStack(folder, { RATE_LIMIT_FACTOR: '1000' });
    try {
      const house = await prepareHouse(origin, signal);
      const rows = [...(await benchStandard(house, folder)), ...(await benchBurst(house, stack, folder))];
      const kinds = new Set(house.refused.map((said) => said.replaceAll(/ses_\w+/g, '…').slice(0, 200)));
      for (const said of kinds) console.error(said);
      const reading = house.refused.filter((said) => said.startsWith('GET ')).length;
      const writing = house.refused.length - reading;
      return [
        ...rows,
        { name: 'load: files and changes that are refused in all of it', ours: writing, unit: 'times', limit: 0 },
        { name: 'load: reading calls that are refused in all of it', ours: reading, unit: 'times', limit: 0 },
      ];
    } finally {
      await stack.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
