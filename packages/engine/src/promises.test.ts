import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNight } from '@pdf2press/config/by-day';
import { type FileFault, FileFaultError, type StepKind, workflowDefinitionSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { stepContracts } from '@pdf2press/steps/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { releaseExpired } from './bell/sweep.ts';
import { deleteSession, restartSession, resumeSession, stopSession } from './commands/session-commands.ts';
import { collectGarbage } from './files/collect-garbage.ts';
import { readEvents } from './sessions/events.ts';
import { beginStep } from './steps/begin-step.ts';
import { claimReady } from './steps/claim-step.ts';
import { hasCommitted, recordResult } from './steps/record-result.ts';
import type { ExecuteStep } from './steps/run-step.ts';
import { chain, type Lab, openLab, tester } from './testing/lab.ts';
import { defaultTiming } from './timing.ts';
import { decide } from './waits/decide.ts';
import { type RunningWorker, startWorker, type WorkerOptions } from './worker/worker.ts';

/** Kinds of step in the versions of this release, as a worker names those that it runs. */
const asOfNow = (...kinds: StepKind[]): string[] => kinds.map((kind) => `${kind}:${stepContracts[kind].version}`);

// One long file: each file of these tests starts a database of its own.
let server: TestPostgres;
let lab: Lab;
const workers: RunningWorker[] = [];
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  expect(await lab.broken()).toEqual([]);
  await lab.close();
});

const ctx = () => ({ subscriberId: lab.subscriberId });
const plain: ExecuteStep = async ({ step }) =>
  step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };

async function work(execute: ExecuteStep, options: Partial<WorkerOptions> = {}): Promise<RunningWorker> {
  const worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'lab',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: path.join(lab.folder, 'work'),
    engineVersion: 'test',
    ...options,
    timing: { pump: 50, grace: 500, remoteBackoff: 100, ...options.timing },
  });
  workers.push(worker);
  return worker;
}
const row = async (query: string, values: unknown[] = []) => (await lab.sql.query(query, values)).rows[0];
const kindsOf = async (sessionId: string) =>
  (await readEvents(lab.deps.database, ctx(), { after: 0, sessionId })).map((event) => event.kind);
const claim = { owner: 'a', timing: defaultTiming };

describe('deliveries', () => {
  test('the same one twenty times at once makes one session', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => lab.hand({ key: 'order-7' })));
    expect(new Set(ids).size).toBe(1);
    expect((await row('select count(*)::int as n from sessions')).n).toBe(1);
    await work(plain);
    await lab.settled();
    // The key stays known without a time limit.
    expect(await lab.hand({ key: 'order-7' })).toBe(ids[0]);
  });

  test('the same bytes sent twice on purpose make two sessions, and so does the same key of two subscribers', async () => {
    const other = await lab.addSubscriber();
    const ids = await Promise.all([lab.hand({ key: 'k' }), lab.hand({ key: 'k2' }), lab.hand({ key: 'k', to: other })]);
    expect(new Set(ids).size).toBe(3);
    await Promise.all(ids.slice(0, 2).map((sessionId) => deleteSession(lab.deps, ctx(), { sessionId, by: tester })));
    await deleteSession(lab.deps, { subscriberId: other.subscriberId }, { sessionId: ids[2] ?? '', by: tester });
  });

  test.each([
    [{ isEnabled: false }, 'workflow.disabled'],
    [{ publishedNo: null }, 'workflow.notPublished'],
    [{ deletedAt: new Date() }, 'resource.notFound'],
  ])('a workflow with %j takes no files', async (data, code) => {
    await lab.deps.database.withSubscriber(ctx(), (tx) => tx.workflow.update({ where: { id: lab.workflowId }, data }));
    await expect(lab.hand()).rejects.toThrow(code);
    expect((await row('select count(*)::int as n from blobs')).n).toBe(0);
  });
});

describe('the epoch check', () => {
  /** Two workers hold one step: the first lost its lease and does not know it. */
  async function twoHolders() {
    await lab.hand();
    const [first] = await claimReady(lab.deps, { ...claim, count: 1, age: 0 });
    if (!first) throw new Error('nothing to claim');
    const begun = await beginStep(lab.deps, first);
    if (!begun) throw new Error('not begun');
    await lab.sql.query(`update step_runs set lease_until = clock_timestamp() - interval '1 s'`);
    await releaseExpired(lab.deps, first, defaultTiming);
    const [second] = await claimReady(lab.deps, { ...claim, owner: 'b', count: 1, age: 0 });
    if (!second) throw new Error('not claimed again');
    const resultOf = async (step: typeof first, isFenced: boolean) => {
      const stored = await lab.storage.put({
        subscriberId: lab.subscriberId,
        bytes: (async function* () {
          yield Buffer.from(step.epoch.toString());
        })(),
      });
      const file = {
        kind: 'ProductionFile',
        path: 'x',
        name: `${step.epoch}.pdf`,
        mediaType: 'application/pdf',
      } as const;
      const result = { end: 'outcome', outcome: 'done' } as const;
      await recordResult(lab.deps, {
        step,
        begun,
        result,
        stored: [{ id: `fil_${step.epoch}`, file, ...stored }],
        engineVersion: 'x',
        isFenced,
      });
    };
    return { first, second, resultOf };
  }
  const files = async () => (await row(`select count(*)::int as n from files where kind = 'ProductionFile'`)).n;

  test('refuses the worker that lost its lease, before and after the other one has written', async () => {
    const { first, second, resultOf } = await twoHolders();
    await expect(resultOf(first, true)).rejects.toThrow(/LostStepError|^$/);
    await resultOf(second, true);
    await expect(resultOf(first, true)).rejects.toThrow();
    expect(await hasCommitted(lab.deps, second)).toBe(true);
    expect(await hasCommitted(lab.deps, first)).toBe(false);
    expect(await files()).toBe(1);
    await work(plain);
    await lab.settled();
  });

  test('control: without it both write, and the test sees it', async () => {
    const { first, second, resultOf } = await twoHolders();
    await lab.sql.query('drop trigger guard on step_runs');
    await resultOf(second, false);
    await resultOf(first, false);
    expect(await files()).toBe(2);
    await work(plain);
    await lab.settled();
  });
});

describe('commands take precedence', () => {
  /** Steps that run until a test lets them go on, and that record when they are aborted. */
  function held() {
    let aborted = 0;
    let isOpen = false;
    const execute: ExecuteStep = async (context, options) => {
      while (!isOpen) {
        if (context.signal.aborted) {
          aborted += 1;
          context.signal.throwIfAborted();
        }
        await sleep(20);
      }
      return plain(context, options);
    };
    return { execute, open: () => (isOpen = true), aborted: () => aborted };
  }
  const running = () =>
    expect.poll(async () => (await row(`select count(*)::int as n from step_runs where status = 'Running'`)).n).toBe(1);

  test('stop takes the step from its worker at once; resume lets it run again', async () => {
    const { execute, open, aborted } = held();
    await work(execute);
    const sessionId = await lab.hand();
    await running();
    await stopSession(lab.deps, ctx(), { sessionId, by: tester });
    expect(await lab.status(sessionId)).toBe('OnHold');
    await expect.poll(aborted).toBe(1);
    open();
    await sleep(300);
    expect(await lab.status(sessionId)).toBe('OnHold');
    await resumeSession(lab.deps, ctx(), { sessionId, by: tester });
    await lab.settled();
    expect(await lab.status(sessionId)).toBe('Completed');
    expect((await row('select max(attempt) as n from step_runs')).n).toBe(1);
  });

  test('a step that ends after its session was deleted or restarted changes nothing', async () => {
    const { execute, open } = held();
    await work(execute, { slots: 4 });
    const [deleted, restarted] = [await lab.hand(), await lab.hand()];
    await expect
      .poll(async () => (await row(`select count(*)::int as n from step_runs where status = 'Running'`)).n)
      .toBe(2);
    await deleteSession(lab.deps, ctx(), { sessionId: deleted, by: tester });
    await stopSession(lab.deps, ctx(), { sessionId: restarted, by: tester });
    await restartSession(lab.deps, ctx(), { sessionId: restarted, by: tester });
    open();
    await lab.settled();
    expect(await lab.status(deleted)).toBe('CanceledByOperator');
    expect(await lab.status(restarted)).toBe('Completed');
    expect(await row('select run_no from sessions where id = $1', [restarted])).toEqual({ run_no: 2 });
    expect(
      (
        await row(
          `select count(*)::int as n from step_runs where session_id = $1 and run_no = 1 and status = 'Canceled'`,
          [restarted],
        )
      ).n,
    ).toBe(1);
    await expect(restartSession(lab.deps, ctx(), { sessionId: deleted, by: tester })).rejects.toThrow(
      'session.deleted',
    );
  });

  test('a command for an older version of the session is refused, and so is what the status does not allow', async () => {
    const sessionId = await lab.hand();
    await expect(stopSession(lab.deps, ctx(), { sessionId, by: tester, version: 99 })).rejects.toThrow(
      'resource.conflict',
    );
    await expect(resumeSession(lab.deps, ctx(), { sessionId, by: tester })).rejects.toThrow('session.actionNotAllowed');
    await expect(stopSession(lab.deps, ctx(), { sessionId: 'ses_none', by: tester })).rejects.toThrow(
      'resource.notFound',
    );
    const other = await lab.addSubscriber();
    await expect(
      stopSession(lab.deps, { subscriberId: other.subscriberId }, { sessionId, by: tester }),
    ).rejects.toThrow('resource.notFound');
  });

  test('commands of all kinds at random against running workers leave every session consistent', async () => {
    await work(
      async (context, options) => {
        await sleep(5 + Math.random() * 30);
        return plain(context, options);
      },
      { slots: 4 },
    );
    const ids = await Promise.all(Array.from({ length: isNight ? 15 : 8 }, () => lab.hand()));
    const commands = [stopSession, resumeSession, restartSession, deleteSession];
    await Promise.all(
      ids.map(async (sessionId, index) => {
        for (let times = 0; times < 6; times += 1) {
          await sleep(Math.random() * 80);
          const command = commands[(index + times) % (times === 5 ? 4 : 3)] ?? stopSession;
          await command(lab.deps, ctx(), { sessionId, by: tester }).catch((error: Error) => {
            expect(error.message).toMatch(/^(session\.actionNotAllowed|session\.deleted|resource\.conflict)$/);
          });
        }
        await resumeSession(lab.deps, ctx(), { sessionId, by: tester }).catch(() => undefined);
      }),
    );
    await lab.settled();
  });
});

describe('failures by class', () => {
  const failing = (code: FileFault, times: number): ExecuteStep => {
    let left = times;
    return async (context, options) => {
      if (context.step.kind === 'Preflight' && left > 0) {
        left -= 1;
        throw new FileFaultError(code, { seconds: 1 });
      }
      return plain(context, options);
    };
  };
  test.each([
    ['PDF_DAMAGED', 1, 'Failed', 1],
    ['PDF_CRASH', 1, 'Completed', 2],
    ['PDF_CRASH', 2, 'Failed', 2],
    ['PDF_MEMORY', 1, 'Completed', 2],
    ['PDF_MEMORY', 2, 'Failed', 2],
    ['STORAGE_UNAVAILABLE', 4, 'Completed', 5],
    ['STORAGE_FULL', 3, 'Completed', 4],
    ['INTERNAL', 2, 'Failed', 2],
  ] as const)('%s %i times: %s after %i attempts', async (code, times, status, attempts) => {
    await work(failing(code, times));
    const sessionId = await lab.hand();
    await lab.settled();
    expect(await lab.status(sessionId)).toBe(status);
    expect((await row(`select max(attempt) as n from step_runs where node_id = 'n1'`)).n).toBe(attempts);
    if (status === 'Failed') {
      expect(await row('select error_code, error_params from sessions')).toEqual({
        error_code: code,
        error_params: { seconds: 1 },
      });
      expect((await kindsOf(sessionId)).slice(-2)).toEqual(['StepFailed', 'Failed']);
    }
  });

  test('a resource limit that was reached is tried once more in the heavy lane', async () => {
    const lanes: boolean[] = [];
    const fail = failing('PDF_TIMEOUT', 1);
    await work((context, options) => {
      if (context.step.kind === 'Preflight') lanes.push(options.isHeavy);
      return fail(context, options);
    });
    await lab.hand();
    await lab.settled();
    expect(lanes.slice(0, 2)).toEqual([false, true]);
  });

  test('a step whose workers are lost repeatedly ends with a code of its own', async () => {
    const sessionId = await lab.hand();
    for (let times = 0; times < 6; times += 1) {
      await lab.sql.query('update step_runs set ready_at = clock_timestamp()');
      const [step] = await claimReady(lab.deps, { ...claim, count: 1, age: 0 });
      if (!step) throw new Error('nothing to claim');
      await lab.sql.query(`update step_runs set lease_until = clock_timestamp() - interval '1 s'`);
      await releaseExpired(lab.deps, step, defaultTiming);
    }
    expect(await row('select status::text, error_code from sessions where id = $1', [sessionId])).toEqual({
      status: 'Failed',
      error_code: 'WORKER_LOST',
    });
  });

  test('a file that a step writes outside of its folder is refused', async () => {
    await writeFile(path.join(lab.folder, 'secret'), 'x');
    await work(async (context, options) => {
      if (context.step.kind !== 'Preflight') return plain(context, options);
      const file = { kind: 'Others', path: '../../secret', name: 'secret', mediaType: 'text/plain' } as const;
      return { end: 'outcome', outcome: 'done', files: [file] };
    });
    const sessionId = await lab.hand();
    await lab.settled();
    expect(await lab.status(sessionId)).toBe('Failed');
    expect((await row(`select count(*)::int as n from files where kind = 'Others'`)).n).toBe(0);
  });
});

test('a NUL in a name of the PDF is stored as a character that cannot be read, in results and in failures', async () => {
  const meta = { ink: 'Gold\0' };
  await work(async (context, options) => {
    if (context.step.kind !== 'Preflight') return plain(context, options);
    if (context.step.id !== (await firstPreflight())) throw new FileFaultError('PDF_DAMAGED', { font: 'A\0B' });
    await writeFile(path.join(context.workDir, 'made'), 'x');
    const file = { kind: 'Others', path: 'made', name: 'made', mediaType: 'text/plain', meta } as const;
    return { end: 'outcome', outcome: 'done', summary: { font: '\ud800\0' }, files: [file] };
  });
  const firstPreflight = async () => (await row(`select id from step_runs where node_id = 'n1'`)).id;
  const sessionId = await lab.hand();
  await lab.settled();
  expect(await row('select status::text, error_code, error_params from sessions where id = $1', [sessionId])).toEqual({
    status: 'Failed',
    error_code: 'PDF_DAMAGED',
    error_params: { font: 'A\ufffdB' },
  });
  expect((await row(`select meta from files where kind = 'Others'`)).meta).toMatchObject({ ink: 'Gold\ufffd' });
});

test('a session keeps the workflow version it started with, and each step records the release that ran it', async () => {
  const before = await lab.hand();
  await lab.deps.database.withSubscriber(ctx(), async (tx) => {
    const { workflowId } = lab;
    const definition = chain(['Inject', 'Complete']) as object;
    const version = { id: newId('workflowVersion'), workflowId, no: 2, definition, profiles: {}, hash: '' };
    await tx.workflowVersion.create({ data: version });
    await tx.workflow.update({ where: { id: workflowId }, data: { publishedNo: 2 }, select: { id: true } });
  });
  const after = await lab.hand();
  await work(plain, { engineVersion: '7' });
  await lab.settled();
  const stepsOf = async (sessionId: string) =>
    (
      await lab.sql.query('select kind, engine_version from step_runs where session_id = $1 order by started_at', [
        sessionId,
      ])
    ).rows;
  const by7 = (kinds: string[]) => kinds.map((kind) => ({ kind, engine_version: '7' }));
  expect(await stepsOf(before)).toEqual(by7(['Inject', 'Preflight', 'Preflight', 'Complete']));
  expect(await stepsOf(after)).toEqual(by7(['Inject', 'Complete']));
});

test('a worker that is one version behind leaves newer steps to the other worker', async () => {
  await work(plain, { kinds: asOfNow('Inject', 'Complete') });
  const sessionId = await lab.hand();
  await expect
    .poll(async () => (await row(`select count(*)::int as n from step_runs where kind = 'Preflight'`)).n)
    .toBe(1);
  await sleep(300);
  expect(await lab.status(sessionId)).toBe('Processing');
  await work(plain);
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('Completed');
});

test('one file of one subscriber starts before the hundredth of another @night', async () => {
  await Promise.all(Array.from({ length: 60 }, () => lab.hand()));
  const other = await lab.addSubscriber();
  const single = await lab.hand({ to: other });
  const [first, second] = await claimReady(lab.deps, { ...claim, count: 2, age: 0 });
  expect([first?.sessionId, second?.sessionId]).toContain(single);
  await work(plain, { slots: 4 });
  await lab.sql.query(`update step_runs set lease_until = clock_timestamp() - interval '1 s' where status = 'Running'`);
  await lab.settled();
});

test('readers of events miss none when transactions of writers overlap', async () => {
  const { subscriberId } = lab;
  const sessionId = await lab.hand();
  const writer = async (no: number) =>
    lab.deps.database.withSubscriber({ subscriberId }, async (tx) => {
      await tx.$executeRaw`insert into session_events (session_id, run_no, kind, actor, cause_key) values (${sessionId}, 1, 'VariableSet', '{}', ${`w${no}`})`;
      await sleep(Math.random() * 60);
    });
  const writers = Promise.all(Array.from({ length: 24 }, (_, no) => writer(no)));
  let isDone = false;
  void writers.then(() => (isDone = true));
  const seen: number[] = [];
  let after = 0;
  for (let last = false; !last; ) {
    last = isDone;
    const events = await readEvents(lab.deps.database, { subscriberId }, { after });
    for (const { seq } of events) seen.push(seq);
    after = seen.at(-1) ?? 0;
  }
  expect(seen.length).toBe(26);
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  await deleteSession(lab.deps, { subscriberId }, { sessionId, by: tester });
});

test('bytes are removed when nothing uses them any more, and not before', async () => {
  const bytesOf = async () => (await row('select sha256 from files where kind = $1 limit 1', ['OriginalFile'])).sha256;
  const kept = await lab.hand({ key: 'kept' });
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 days'`);
  const blob = { subscriberId: lab.subscriberId, sha256: await bytesOf() };
  expect(await collectGarbage(lab.deps)).toBe(0);
  await deleteSession(lab.deps, ctx(), { sessionId: kept, by: tester });
  // Not while a child process may still read it.
  expect(await collectGarbage(lab.deps)).toBe(0);
  await lab.sql.query(`update sessions set deleted_at = deleted_at - interval '2 minutes'`);
  // Stored recently: a transaction that refers to the bytes may be about to commit.
  expect(await collectGarbage(lab.deps)).toBe(0);
  const file = path.join(lab.folder, 'blobs', lab.subscriberId, blob.sha256.slice(0, 2), blob.sha256);
  await utimes(file, 1, 1);
  expect(await collectGarbage(lab.deps)).toBe(1);
  expect(await lab.storage.sizeOf(blob)).toBeUndefined();
});

describe('waiting', () => {
  const graph = workflowDefinitionSchema.parse({
    steps: [
      { id: 'a', kind: 'Inject' },
      { id: 'b', kind: 'Hold' },
      { id: 'c', kind: 'Complete' },
    ],
    edges: [
      { id: '1', from: 'a', outcome: 'done', to: 'b' },
      { id: '2', from: 'b', outcome: 'continue', to: 'c' },
    ],
  });
  const kinds = asOfNow('Inject', 'Hold', 'Complete');
  const holding =
    (dueAt?: () => Date): ExecuteStep =>
    async (context, options) =>
      context.step.kind === 'Hold'
        ? {
            end: 'wait',
            wait: {
              kind: 'hold',
              allowed: ['continue', 'cancel'],
              ...(dueAt && { dueAt: dueAt(), onDue: 'continue' }),
            },
          }
        : plain(context, options);

  async function onHold(execute: ExecuteStep, slots = 2) {
    await lab.close();
    lab = await openLab(server, { definition: graph });
    await work(execute, { kinds, slots });
    const sessionId = await lab.hand();
    await expect.poll(() => lab.status(sessionId)).toBe('OnHold');
    return { sessionId, waitId: (await row('select id from waits')).id as string };
  }

  test('takes exactly one of many decisions, and tells the others who was first', async () => {
    const { sessionId, waitId } = await onHold(holding());
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        decide(lab.deps, ctx(), {
          waitId,
          decision: index % 2 ? 'cancel' : 'continue',
          by: { kind: 'user', name: `Nr ${index}` },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    const first = (await row('select decided_by from waits')).decided_by.name;
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(answer.reason.problems[0]).toMatchObject({ code: 'session.alreadyDecided', params: { by: first } });
    }
    await lab.settled();
    expect(['Completed', 'CanceledByOperator']).toContain(await lab.status(sessionId));
  });

  test('occupies no slot', async () => {
    const { sessionId, waitId } = await onHold(holding(), 1);
    const more = [await lab.hand(), await lab.hand()];
    for (const id of more) await expect.poll(() => lab.status(id)).toBe('OnHold');
    await decide(lab.deps, ctx(), { waitId, decision: 'continue', by: tester });
    await expect.poll(() => lab.status(sessionId)).toBe('Completed');
    for (const id of more) await deleteSession(lab.deps, ctx(), { sessionId: id, by: tester });
  });

  test('survives the end of its workers, and a decision that is not allowed is refused', async () => {
    const { sessionId, waitId } = await onHold(holding());
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await expect(decide(lab.deps, ctx(), { waitId, decision: 'Approved', by: tester })).rejects.toThrow(
      'request.invalid',
    );
    await decide(lab.deps, ctx(), { waitId, decision: 'continue', by: tester });
    await work(plain, { kinds });
    await lab.settled();
    expect(await lab.status(sessionId)).toBe('Completed');
  });

  test('is refused after delete and after restart', async () => {
    const { sessionId, waitId } = await onHold(holding());
    await restartSession(lab.deps, ctx(), { sessionId, by: tester });
    await expect(decide(lab.deps, ctx(), { waitId, decision: 'continue', by: tester })).rejects.toThrow(
      'session.actionNotAllowed',
    );
    await deleteSession(lab.deps, ctx(), { sessionId, by: tester });
    await expect(decide(lab.deps, ctx(), { waitId, decision: 'continue', by: tester })).rejects.toThrow(
      'session.deleted',
    );
  });

  test('ends by itself when it is due', async () => {
    const { sessionId, waitId } = await onHold(holding(() => new Date(Date.now() + 3_600_000)));
    await lab.sql.query('update waits set due_at = clock_timestamp() where id = $1', [waitId]);
    await expect.poll(() => lab.status(sessionId)).toBe('Completed');
    expect((await row('select decision, decided_by from waits')).decided_by.kind).toBe('system');
  });
});
