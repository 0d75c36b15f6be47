import { workflowDefinitionSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { renameProfileSchema } from '@pdf2press/steps/rename-profile';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restartSession, stopSession } from '../commands/session-commands.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { places } from '../testing/places.ts';
import { startProcess } from '../testing/processes.ts';
import { giveSettings } from '../testing/settings.ts';
import { startWorker } from '../worker/worker.ts';
import { evaluateSession } from './evaluate-session.ts';
import { previewNames } from './preview-names.ts';
import type { ExecuteStep } from './run-step.ts';

let server: TestPostgres;
let lab: Lab;

const renames = (settings: object) =>
  workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'rename', kind: 'Rename', settings },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'rename' },
      { id: 'b', from: 'rename', outcome: 'done', to: 'complete' },
    ],
  });

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const execute: ExecuteStep = (context) =>
  context.step.kind === 'Rename'
    ? runStep(context, tools)
    : Promise.resolve(
        context.step.kind === 'Complete'
          ? { end: 'session', status: 'Completed' }
          : { end: 'outcome', outcome: 'done' },
      );

const begin = (run: ExecuteStep = execute) =>
  startWorker(
    { ...lab.deps, app: { title: 'House of print', baseUrl: 'https://print.example' } },
    {
      databaseUrl: lab.url,
      instance: 'a',
      doorbell: { kind: 'none' },
      slots: 2,
      execute: run,
      workFolder: `${lab.folder}/work`,
      engineVersion: '1',
      timing: { grace: 300 },
    },
  );

async function settle(): Promise<void> {
  const worker = await begin();
  await lab.settled();
  await worker.stop();
}

const namesOf = async (sessionId: string): Promise<string[]> =>
  (
    await lab.sql.query(
      `select name from files where session_id = $1 and kind = 'ProductionFile' order by created_at, id`,
      [sessionId],
    )
  ).rows.map(({ name }) => name);

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

async function inLab(pattern: string, work: () => Promise<void>, more: object = {}): Promise<void> {
  lab = await openLab(server, { definition: renames({ pattern, ...more }) });
  try {
    await work();
    expect(await lab.broken()).toEqual([]);
  } finally {
    await lab.close();
  }
}

test('running numbers go up by one with each step that uses them; the daily one begins again on another day @night', () =>
  inLab('{{counter|pad:3}}-{{counter.daily}}', async () => {
    const first = await lab.hand();
    await settle();
    await lab.sql.query(`update workflow_counters set day = '2020-01-01'`);
    const second = await lab.hand();
    await settle();
    expect([await namesOf(first), await namesOf(second)]).toEqual([['001-1.pdf'], ['002-1.pdf']]);
    const third = await lab.hand();
    await settle();
    expect(await namesOf(third)).toEqual(['003-2.pdf']);
  }));

test('a running number of all workflows goes on from one workflow to the next', () =>
  inLab('{{counter.all}}-{{counter}}', async () => {
    const first = await lab.hand();
    await settle();
    await lab.sql.query('delete from workflow_counters');
    const second = await lab.hand();
    await settle();
    expect([await namesOf(first), await namesOf(second)]).toEqual([['1-1.pdf'], ['2-1.pdf']]);
  }));

test('a restart begins with the name that the file came with, and gives it its name again', () => {
  const pattern = '{{file.baseName}}_{{session.restartCount}}';
  const renamed = async () => {
    const sessionId = await lab.hand();
    await settle();
    const name = async () =>
      (await lab.sql.query(`select name from files where kind = 'OriginalFile'`)).rows.map((row) => row.name);
    expect(await name()).toEqual(['test_0.pdf']);
    expect((await lab.sql.query('select file_name from sessions')).rows).toEqual([{ file_name: 'test.pdf' }]);
    await restartSession(lab.deps, { subscriberId: lab.subscriberId }, { sessionId, by: tester });
    expect(await name()).toEqual(['test.pdf']);
    await settle();
    expect(await name()).toEqual(['test_1.pdf']);
  };
  return inLab(pattern, renamed, { scope: 'source' });
});

test('a preview names the newest files by the same rules, and takes no number', () =>
  inLab('{{file.baseName}}', async () => {
    const sessionId = await lab.hand();
    await settle();
    const rules = renameProfileSchema.parse({
      pattern: '{{file.baseName|upper}}_{{session.shortId}}',
      operations: [{ action: 'counter', counts: 'all', digits: 1 }],
    });
    const names = () => previewNames(lab.deps, { subscriberId: lab.subscriberId }, rules);
    const wanted = [{ sessionId, from: 'test.pdf', to: `1_TEST_${sessionId.slice(-4).toUpperCase()}.pdf` }];
    expect(await names()).toEqual(wanted);
    expect(await names()).toEqual(wanted);
    expect(await previewNames(lab.deps, { subscriberId: 'sub_other' }, rules)).toEqual([]);
    expect((await lab.sql.query('select * from house_counters')).rows).toEqual([]);
  }));

test('a workflow whose steps use no running number counts nothing', () =>
  inLab('{{file.baseName}} copy', async () => {
    await lab.hand();
    await settle();
    expect((await lab.sql.query('select * from workflow_counters')).rows).toEqual([]);
  }));

test.each(places('beforeCommit', 'insideCommit', 'afterCommit'))(
  'a worker killed (SIGKILL) %s of the step gives the same number again, and the next session the next one @night',
  (place) =>
    inLab('{{counter}}', async () => {
      const first = await lab.hand();
      // The renaming is claimed and given back, so that the next process begins with it.
      const worker = await begin(async (context) => {
        if (context.step.kind !== 'Rename') return execute(context, { isHeavy: false, onProgress: () => undefined });
        return new Promise((_, reject) =>
          context.signal.addEventListener('abort', () => reject(context.signal.reason)),
        );
      });
      const running = `select 1 from step_runs where status = 'Running' and kind = 'Rename'`;
      await expect.poll(async () => (await lab.sql.query(running)).rows.length, { timeout: 60_000 }).toBe(1);
      await worker.stop();
      expect(await startProcess(lab, { failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      const next = startProcess(lab);
      await lab.settled();
      const second = await lab.hand();
      await lab.settled();
      next.child.kill('SIGKILL');
      await next.ended;
      expect([await namesOf(first), await namesOf(second)]).toEqual([['1.pdf'], ['2.pdf']]);
    }),
);

test('what is known around a session has its value: organisation, user, hold, order, address, title', () =>
  inLab('{{counter}}', async () => {
    const person = newId('user');
    const organization = newId('organization');
    await lab.deps.database.withSubscriber({ subscriberId: lab.subscriberId }, async (tx) => {
      const named = { firstName: 'Ana', lastName: 'Lima', userName: 'ana', email: `${person}@example.com` };
      await tx.user.create({ data: { id: person, ...named } });
      await tx.organization.create({ data: { id: organization, name: 'Lima Design', color: '#0f766e' } });
    });
    const parent = await lab.hand();
    const sessionId = await lab.hand();
    await lab.sql.query(
      `update sessions set organization_id = $2, parent_session_id = $3,
              created_by = jsonb_build_object('kind', 'user', 'id', $4::text, 'name', 'Ana Lima'),
              variables = '{"order.id": "A-17", "order.quantity": "250", "order.dueDate": "soon", "upload.email": "x@y.example"}'
        where id = $1`,
      [sessionId, organization, parent, person],
    );
    await stopSession(lab.deps, { subscriberId: lab.subscriberId }, { sessionId, by: tester });
    const names = [
      'org.name',
      'org.color',
      'user.name',
      'user.email',
      'session.parentId',
      'session.url',
      'app.title',
      'file.version',
      'hold.by',
      'order.id',
      'order.quantity',
      'order.dueDate',
      'upload.email',
      'counter',
      'proof.url',
    ];
    const deps = { ...lab.deps, app: { title: 'House of print', baseUrl: 'https://print.example' } };
    const question = { sessionId, variables: [], groups: [], names };
    const { texts } = await evaluateSession(deps, { subscriberId: lab.subscriberId }, question);
    expect(texts).toEqual({
      'org.name': 'Lima Design',
      'org.color': '#0f766e',
      'user.name': 'Ana Lima',
      'user.email': `${person}@example.com`,
      'session.parentId': parent,
      'session.url': `https://print.example/workflows/session/${sessionId}`,
      'app.title': 'House of print',
      'file.version': '1',
      'hold.by': tester.name,
      'order.id': 'A-17',
      'order.quantity': '250',
      'order.dueDate': '',
      'upload.email': 'x@y.example',
      counter: '',
      'proof.url': '',
    });
    await settle();
  }));

test('days and hours are those of the time zone that the settings name', () =>
  inLab("{{session.createdAt|date:yyyyMMdd'T'HHmm}}", async () => {
    const first = await lab.hand();
    await settle();
    const { subscriberId } = lab;
    await lab.deps.database.withSubscriber({ subscriberId }, (tx) =>
      giveSettings(tx, subscriberId, { timeZone: 'Pacific/Kiritimati' }),
    );
    const second = await lab.hand();
    await settle();
    const created = async (id: string): Promise<Date> =>
      (await lab.sql.query('select created_at as at from sessions where id = $1', [id])).rows[0].at;
    // Fourteen hours ahead of the clock of Greenwich, without summer time.
    const inKiritimati = new Date((await created(second)).getTime() + 14 * 3_600_000).toISOString();
    expect(await namesOf(second)).toEqual([`${inKiritimati.slice(0, 16).replace(/[-:]/g, '')}.pdf`]);
    expect(await namesOf(first)).not.toEqual(await namesOf(second));
  }));
