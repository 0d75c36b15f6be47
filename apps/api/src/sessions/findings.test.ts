import type { FindingCounts, SessionFinding, Severity } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let subscriberId: string;
let sessionId: string;
const stepRunId = newId('stepRun');

interface Row {
  check: string;
  rule: string;
  severity: Severity;
  page?: number;
  pages?: number[];
  count?: number;
  measured?: number;
}
const rows: Row[] = [
  { check: 'Fonts', rule: 'Fonts.notEmbedded', severity: 'Info', page: 1 },
  { check: 'Fonts', rule: 'Fonts.notEmbedded', severity: 'Fail', page: 3, count: 4 },
  { check: 'PageCount', rule: 'PageCount.tooMany', severity: 'Fail', measured: 9 },
  { check: 'Bleed', rule: 'Bleed.missing', severity: 'Warn', page: 2, pages: [2, 3, 5], count: 3 },
  ...Array.from({ length: 250 }, (_, index): Row => {
    return { check: 'Many', rule: 'Many.rule', severity: 'Info', page: index + 1 };
  }),
];

/** A preflight that has ended, with what it found. */
async function check(id: string, found: readonly Row[]): Promise<void> {
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.stepRun.create({
      data: { id, sessionId, runNo: 1, nodeId: id, kind: 'Preflight', kindVersion: 1, input: {}, status: 'Succeeded' },
    });
    await tx.finding.createMany({
      data: found.map(({ check, rule, severity, page, pages, count = 1, measured }, no) => ({
        id: newId('finding'),
        sessionId,
        stepRunId: id,
        runNo: 1,
        no,
        checkKey: check,
        code: rule,
        severity,
        page: page ?? null,
        data: {
          id: String(no),
          checkKey: check,
          ruleKey: rule,
          severity,
          page: page ?? null,
          count,
          params: {},
          fixableBy: null,
          ...(pages && { pages }),
          ...(measured && { measured: { value: measured, unit: 'count' }, limit: { value: 8, unit: 'count' } }),
        },
      })),
    });
  });
}

beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  const { result } = await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana });
  ({ sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId },
    workflowId: result.items[0]?.id ?? '',
    source: 'ManualInjected',
    fileName: 'card.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4');
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  }));
  await check(stepRunId, rows);
});
afterAll(() => lab.stop());

const list = async (query: string) =>
  (
    await lab.call<{ items: SessionFinding[]; total: number }>('GET', `/sessions/${sessionId}/findings?${query}`, {
      as: ana,
    })
  ).result;

test('the worst check comes first, and no finding is missing or repeated between pages', async () => {
  const first = await list('pageSize=3');
  expect(first.total).toBe(rows.length);
  expect(first.items.map(({ checkKey, severity }) => [checkKey, severity])).toEqual([
    ['Fonts', 'Fail'],
    ['Fonts', 'Info'],
    ['PageCount', 'Fail'],
  ]);
  const seen: string[] = [];
  for (let page = 1; page <= 3; page += 1)
    seen.push(...(await list(`pageSize=100&page=${page}`)).items.map(({ id }) => id));
  expect(new Set(seen).size).toBe(rows.length);
  expect(await list('pageSize=100&page=9')).toMatchObject({ items: [], total: rows.length });
});

test('filters by severity, check, page, step, run and the words of its sentences', async () => {
  const checksOf = async (query: string) => (await list(query)).items.map(({ checkKey }) => checkKey);
  expect(await checksOf('severity=Fail&severity=Warn')).toEqual(['Fonts', 'PageCount', 'Bleed']);
  expect(await checksOf('check=Bleed')).toEqual(['Bleed']);
  expect(await checksOf('onPage=3')).toEqual(['Fonts', 'Bleed', 'Many']);
  expect((await list(`stepRunId=${stepRunId}`)).total).toBe(rows.length);
  expect((await list('stepRunId=stp_other')).total).toBe(0);
  expect((await list('run=2')).total).toBe(0);
  expect(await list('search=at most 8')).toMatchObject({ total: 1, items: [{ checkKey: 'PageCount' }] });
});

test('counts say how many findings there are by severity and check, and the worst on each page', async () => {
  const { result } = await lab.call<FindingCounts>('GET', `/sessions/${sessionId}/findings/counts`, { as: ana });
  expect(result.severities).toEqual({ Fail: 2, Warn: 1, Info: 251 });
  expect(result.checks[0]).toEqual({ check: 'Fonts', severity: 'Fail', count: 1 });
  const worst = new Map(result.pages.map((place) => [place.page, place.worst]));
  expect([1, 2, 3, 4, 5].map((page) => worst.get(page))).toEqual(['Info', 'Warn', 'Fail', 'Info', 'Warn']);
  expect(result.pages).toHaveLength(250);
});

test('a row for each rule says on which pages it is broken and how often', async () => {
  const { result } = await lab.call<FindingCounts>('GET', `/sessions/${sessionId}/findings/counts`, { as: ana });
  expect(result.rules.map(({ rule, places, pages }) => [rule, places, pages.length])).toEqual([
    ['Fonts.notEmbedded', 4, 1],
    ['Fonts.notEmbedded', 1, 1],
    ['PageCount.tooMany', 1, 0],
    ['Bleed.missing', 3, 3],
    ['Many.rule', 250, 250],
  ]);
  expect(result.rules[0]).toMatchObject({ label: 'Font not embedded', severity: 'Fail', state: null });
  expect(result).toMatchObject({ fixed: null, added: null, newest: stepRunId });
});

test('after a second preflight each finding is fixed, left or new; what counts is the newest', async () => {
  const again = newId('stepRun');
  const found: Row[] = [
    { check: 'Fonts', rule: 'Fonts.notEmbedded', severity: 'Fail', page: 3, count: 2 },
    { check: 'Bleed', rule: 'Bleed.missing', severity: 'Warn', page: 3, pages: [3], count: 1 },
    { check: 'Fonts', rule: 'Fonts.outlines', severity: 'Warn', page: 1 },
  ];
  await check(again, found);
  const { items } = await list('pageSize=500');
  const states = items.map(({ ruleKey, page, state }) => `${ruleKey} ${page} ${state}`);
  expect(states.slice(0, 3)).toEqual(['Fonts.notEmbedded 3 left', 'Fonts.outlines 1 new', 'Bleed.missing 3 left']);
  expect(states.slice(3).every((state) => state.endsWith('fixed'))).toBe(true);
  expect(states).toHaveLength(rows.length + found.length - 2);
  expect((await list('state=new')).items.map(({ ruleKey }) => ruleKey)).toEqual(['Fonts.outlines']);
  expect((await list(`stepRunId=${stepRunId}`)).total).toBe(rows.length);
  const { result } = await lab.call<FindingCounts>('GET', `/sessions/${sessionId}/findings/counts`, { as: ana });
  expect(result).toMatchObject({ severities: { Fail: 1, Warn: 2, Info: 0 }, newest: again, fixed: 252, added: 1 });

  // A clean one after that clears everything.
  await check(newId('stepRun'), []);
  const clean = await lab.call<FindingCounts>('GET', `/sessions/${sessionId}/findings/counts`, { as: ana });
  expect(clean.result).toMatchObject({ severities: { Fail: 0, Warn: 0, Info: 0 }, added: 0 });
  expect((await list('state=left&state=new')).total).toBe(0);
});

test('a session is sent with the number of its findings only', async () => {
  const { result } = await lab.call<object>('GET', `/sessions/${sessionId}`, { as: ana });
  expect(result).toMatchObject({ findings: null });
});

test('list and session say what was found, which step runs and how far it is', async () => {
  const progress = { phase: 'pages', done: 37, total: 113 };
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const data = { result: 'Error', errorCount: 7, warningCount: 8, infoCount: 1, status: 'Processing' } as const;
    await tx.session.update({ where: { id: sessionId }, data });
    const step = { nodeId: 'running', kind: 'Preflight', kindVersion: 1, input: {}, status: 'Running' } as const;
    await tx.stepRun.create({ data: { id: newId('stepRun'), sessionId, runNo: 1, ...step, progress } });
  });
  const told = {
    findings: { Fail: 7, Warn: 8, Info: 1 },
    running: { kind: 'Preflight', name: '', progress },
  };
  expect((await lab.call('GET', `/sessions/${sessionId}`, { as: ana })).result).toMatchObject(told);
  const listed = async (query: string) =>
    (await lab.call<{ items: object[] }>('GET', `/sessions?${query}`, { as: ana })).result.items;
  expect((await listed('sort=findings'))[0]).toMatchObject({ id: sessionId, ...told });
  expect(await listed('resultLevel=Error')).toMatchObject([{ id: sessionId }]);
  expect(await listed('resultLevel=Success')).not.toContainEqual(expect.objectContaining({ id: sessionId }));
});

test('another subscriber gets neither', async () => {
  const away = await lab.makeSubscriber('Other Print');
  const stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@example.com'));
  for (const path of ['findings', 'findings/counts'])
    expect((await lab.call('GET', `/sessions/${sessionId}/${path}`, { as: stranger })).statusCode).toBe(404);
});
