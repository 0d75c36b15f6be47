import { newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holding } from './testing/holding.ts';
import { inLab as inOwnLab, patient } from './testing/in-lab.ts';
import { chain, type Lab } from './testing/lab.ts';

/* Workers killed around the commit of each kind of step that names, ends, keeps or holds, beside those of `crashes.test.ts`. */

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const inLab = (work: Parameters<typeof inOwnLab>[1], options?: Parameters<typeof inOwnLab>[2]) =>
  inOwnLab(server, work, options);

describe('a worker killed (SIGKILL) while it renames', () => {
  const definition = chain(['Inject', 'Rename', 'Complete'], {
    1: { pattern: '{{session.shortId}}_{{file.baseName}}' },
  });

  test.each(['beforeCommit', 'insideCommit', 'afterCommit'] as const)('%s: the file has its new name once', (place) =>
    inLab(
      async (lab, start) => {
        const sessionId = await lab.hand();
        // The first worker dies after the first step, so that the second one begins with the step that renames.
        expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
        expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ timing: patient });
        await lab.settled();
        expect(await lab.status(sessionId)).toBe('Completed');
        const { rows } = await lab.sql.query('select kind::text, name, sha256 from files order by created_at');
        expect(rows).toEqual([
          { kind: 'OriginalFile', name: 'test.pdf', sha256: expect.any(String) },
          {
            kind: 'ProductionFile',
            name: `${sessionId.slice(-4).toUpperCase()}_test.pdf`,
            sha256: rows[0].sha256,
          },
        ]);
      },
      { definition },
    ),
  );
});

describe('a worker killed (SIGKILL) while it completes', () => {
  const definition = chain(['Inject', 'Fix', 'Impose', 'Complete'], { 3: { files: 'all' } });

  test.each(['beforeCommit', 'insideCommit', 'afterCommit'] as const)(
    '%s: the session ends once, with its result',
    (place) =>
      inLab(
        async (lab, start) => {
          const sessionId = await lab.hand();
          for (let step = 0; step < 3; step += 1)
            expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
          expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
          start({ timing: patient });
          await lab.settled();
          expect(await lab.status(sessionId)).toBe('Completed');
          const { rows } = await lab.sql.query(`
          select id, name from files where kind = 'ProductionFile' order by created_at, id`);
          expect(rows).toHaveLength(2);
          expect((await lab.sql.query('select decisions from sessions')).rows).toEqual([
            { decisions: { result: rows } },
          ]);
          const ended = `select count(*)::int as times from session_events where kind = 'Completed'`;
          expect((await lab.sql.query(ended)).rows).toEqual([{ times: 1 }]);
        },
        { definition },
      ),
  );
});

describe('a worker killed (SIGKILL) while it decides how long files are kept', () => {
  const definition = chain(['Inject', 'Retention', 'Complete'], { 1: { daysSource: 7 } });

  test.each(['beforeCommit', 'insideCommit', 'afterCommit'] as const)('%s: the session has the decision', (place) =>
    inLab(
      async (lab, start) => {
        const sessionId = await lab.hand();
        expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
        expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ timing: patient });
        await lab.settled();
        expect(await lab.status(sessionId)).toBe('Completed');
        const { rows } = await lab.sql.query('select decisions from sessions');
        expect(rows).toMatchObject([
          { decisions: { retention: { daysSource: 7, daysFinal: 90, start: 'completed' } } },
        ]);
      },
      { definition },
    ),
  );
});

describe('a worker killed (SIGKILL) while it names by numbers', () => {
  const definition = chain(['Inject', 'Rename', 'Complete'], {
    1: {
      pattern: '{{file.baseName}}',
      operations: [
        { action: 'counter', counts: 'all', digits: 3 },
        { action: 'counter', counts: 'workflow', digits: 1, place: 'end' },
      ],
      scope: 'all',
    },
  });

  test.each(['beforeCommit', 'insideCommit', 'afterCommit'] as const)(
    '%s: the file that came in has one number, and the next one has the next',
    (place) =>
      inLab(
        async (lab, start) => {
          const first = await lab.hand();
          expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
          expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
          start({ timing: patient });
          await lab.settled();
          const second = await lab.hand();
          await lab.settled();
          const { rows } = await lab.sql.query('select session_id, kind::text, name from files order by created_at');
          expect(rows).toEqual([
            { session_id: first, kind: 'OriginalFile', name: '001_test_1.pdf' },
            { session_id: second, kind: 'OriginalFile', name: '002_test_2.pdf' },
          ]);
        },
        { definition },
      ),
  );
});

describe('a worker killed (SIGKILL) around a hold', () => {
  const planner = newId('role');
  const definition = holding({
    assignee: planner,
    reminderHours: 1,
    escalationHours: 2,
    escalateTo: planner,
    timeoutHours: 3,
    onTimeout: 'continue',
  });
  const told = async (lab: Lab) =>
    (
      await lab.sql.query(`
        select kind, count(*)::int as times from session_events
         where kind in ('HoldEntered', 'HoldReminded', 'HoldEscalated', 'HoldReleased') group by kind order by kind`)
    ).rows.map(({ kind, times }) => `${kind} ${times}`);
  /** Someone with the role, to whom messages go. */
  const addPlanner = (lab: Lab) =>
    lab.deps.database.withSubscriber({ subscriberId: lab.subscriberId }, async (tx) => {
      const userId = newId('user');
      await tx.user.create({
        data: { id: userId, email: 'planner@example.com', userName: 'planner', firstName: '', lastName: '' },
      });
      await tx.role.create({ data: { id: planner, name: 'Planners', permissions: [] } });
      await tx.userRole.create({ data: { userId, roleId: planner } });
    });

  test.each(['beforeCommit', 'insideCommit', 'afterCommit'] as const)('%s: the session waits once', (place) =>
    inLab(
      async (lab, start) => {
        const sessionId = await lab.hand();
        expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
        expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ timing: patient });
        await expect.poll(() => lab.status(sessionId), { timeout: 60_000 }).toBe('OnHold');
        expect(await told(lab)).toEqual(['HoldEntered 1']);
        expect((await lab.sql.query('select 1 from waits')).rows).toHaveLength(1);
      },
      { definition },
    ),
  );

  test.each(['insideWait', 'afterWait'] as const)(
    '%s: it is reminded of once, passed on once and decided once',
    (place) =>
      inLab(
        async (lab, start) => {
          await addPlanner(lab);
          const sessionId = await lab.hand();
          const first = start();
          await expect.poll(() => lab.status(sessionId), { timeout: 60_000 }).toBe('OnHold');
          first.child.kill('SIGKILL');
          await first.ended;
          for (const time of ['remind_at', 'escalate_at', 'due_at']) {
            await lab.sql.query(`update waits set ${time} = clock_timestamp()`);
            expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
            const next = start({ timing: patient });
            await expect
              .poll(async () => (await lab.sql.query(`select ${time} as at from waits`)).rows[0].at, {
                timeout: 60_000,
              })
              .toBeNull();
            next.child.kill('SIGKILL');
            await next.ended;
          }
          start({ timing: patient });
          await lab.settled();
          expect(await lab.status(sessionId)).toBe('Completed');
          expect(await told(lab)).toEqual(['HoldEntered 1', 'HoldEscalated 1', 'HoldReleased 1', 'HoldReminded 1']);
          const { rows } = await lab.sql.query(
            `select payload->>'template' as template from effects order by created_at`,
          );
          expect(rows.map(({ template }) => template)).toEqual(['holdReminder', 'holdEscalated']);
        },
        { definition },
      ),
  );
});
