import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overwriteVariables } from './commands/hold-commands.ts';
import { restartSession } from './commands/session-commands.ts';
import { holding } from './testing/holding.ts';
import { inLab, patient } from './testing/in-lab.ts';
import { chain, type Lab, tester } from './testing/lab.ts';

/* Workers killed at the commit of kinds of step that decide or hold, beside those of `crashes.test.ts`. */

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const named = { match: 'all', rules: [{ fact: 'file.name', operator: 'contains', value: 'test' }] };

/** A step that decides, with each of its ways to an end of its own. */
const deciding = (kind: string, settings: object, ways: readonly string[]): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    variables: [{ name: 'paper', type: 'String', default: 'matt' }],
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'decide', kind, settings },
      { id: 'complete', kind: 'Complete' },
      { id: 'cancel', kind: 'Cancel', settings: { reason: 'Not this one' } },
    ],
    edges: [
      { id: 'in', from: 'inject', outcome: 'done', to: 'decide' },
      ...ways.map((outcome, at) => ({
        id: outcome,
        from: 'decide',
        outcome,
        to: at === 0 ? 'complete' : 'cancel',
      })),
    ],
  });

const rule = (id: string, more: object) => ({ id, name: id, when: named, ...more });
const kinds = [
  {
    kind: 'Condition',
    definition: deciding('Condition', { when: named }, ['true', 'false']),
    left: { outcome: 'true', variables: { paper: 'matt' } },
  },
  {
    kind: 'Route',
    definition: deciding(
      'Route',
      { rules: [rule('gloss', { action: 'overwriteVariables', variables: { paper: '{{paper}} gloss' } })] },
      ['gloss', 'otherwise'],
    ),
    // A second time it would be "matt gloss gloss".
    left: { outcome: 'gloss', variables: { paper: 'matt gloss' } },
  },
] as const;
const places = ['beforeCommit', 'insideCommit', 'afterCommit'] as const;

const one = async (lab: Lab, sql: string) => (await lab.sql.query(sql)).rows[0];

describe.each(kinds)('a worker killed (SIGKILL) while $kind decides', ({ definition, left }) => {
  test.each(places)('%s: it is decided once', (place) =>
    inLab(
      server,
      async (lab, start) => {
        const sessionId = await lab.hand();
        // The first worker dies after the first step, so that the second one begins with the step that decides.
        expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
        expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ timing: patient });
        await lab.settled();
        expect(await lab.status(sessionId)).toBe('Completed');
        const decided = `select outcome, (select variables from sessions) as variables
                           from step_runs where node_id = 'decide'`;
        expect(await one(lab, decided)).toEqual(left);
      },
      { definition },
    ),
  );
});

describe('a process killed (SIGKILL) while somebody sets the variable that a hold waits for', () => {
  const definition = holding({ releaseWhen: 'note' });
  const state = `select variables->>'note' as note, (select count(*)::int from session_events where kind = 'HoldReleased') as released,
                        (select count(*)::int from session_events where kind = 'VariableSet') as set from sessions`;

  test.each([
    ['insideDecision', { note: null, released: 0, set: 0 }],
    ['afterDecision', { note: 'here', released: 1, set: 1 }],
  ] as const)('%s: it is set and released together, once', (place, after) =>
    inLab(
      server,
      async (lab, start) => {
        const sessionId = await lab.hand();
        const first = start();
        await expect.poll(() => lab.status(sessionId), { timeout: 60_000 }).toBe('OnHold');
        first.child.kill('SIGKILL');
        await first.ended;
        const { subscriberId } = lab;
        const set = { subscriberId, sessionId, variables: { note: 'here' } };
        expect(await start({ set, failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        expect(await one(lab, state)).toEqual(after);
        const again = overwriteVariables(lab.deps, { subscriberId }, { ...set, by: tester });
        // Whoever was not answered tries again: what is done already is told, and not done a second time.
        if (after.released) await expect(again).rejects.toThrow('session.actionNotAllowed');
        else await again;
        start({ timing: patient });
        await lab.settled();
        expect(await lab.status(sessionId)).toBe('Completed');
        expect(await one(lab, state)).toEqual({ note: 'here', released: 1, set: 1 });
      },
      { definition },
    ),
  );
});

describe('a divided file that is divided again', () => {
  const definition = chain(['Inject', 'Complete'], { 0: { splitting: 'page' } });
  const parts = `select file_name, count(*)::int as times from sessions where parent_session_id is not null
                  group by file_name order by file_name`;
  const rows = (lab: Lab) => lab.sql.query(parts).then((found) => found.rows);
  const each = (first: number) => [first, 1, 1].map((times, at) => ({ file_name: `test_p${at + 1}.pdf`, times }));

  test.each(['insideParts', 'insideCommit', 'afterCommit'] as const)(
    'by a worker killed (SIGKILL) %s: only the part that was canceled begins again',
    (place) =>
      inLab(
        server,
        async (lab, start) => {
          const sessionId = await lab.hand();
          const first = start({ timing: patient });
          await lab.settled();
          first.child.kill('SIGKILL');
          await first.ended;
          expect(await rows(lab)).toEqual(each(1));
          // As if somebody had canceled it: it has ended, and ended sessions do not move.
          await lab.sql.query(`alter table sessions disable trigger user`);
          await lab.sql.query(`update sessions set status = 'CanceledByOperator' where file_name = 'test_p1.pdf'`);
          await lab.sql.query(`alter table sessions enable trigger user`);
          const { subscriberId } = lab;
          await restartSession(lab.deps, { subscriberId }, { sessionId, by: tester });
          expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
          start({ timing: patient });
          await lab.settled();
          expect(await rows(lab)).toEqual(each(2));
          const { summary } = await one(
            lab,
            `select output->'summary' as summary from step_runs where run_no = 2 and session_id = '${sessionId}'`,
          );
          expect(summary).toMatchObject({ parts: 3, kept: [expect.any(String), expect.any(String)] });
        },
        { definition },
      ),
  );
});
