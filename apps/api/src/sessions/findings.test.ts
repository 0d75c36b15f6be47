import type { FindingCounts, SessionFinding, Severity } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
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

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
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
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.stepRun.create({
      data: { id: stepRunId, sessionId, runNo: 1, nodeId: 'test', kind: 'Preflight', kindVersion: 1, input: {} },
    });
    await tx.finding.createMany({
      data: rows.map(({ check, rule, severity, page, pages, count = 1, measured }, no) => ({
        id: newId('finding'),
        sessionId,
        stepRunId,
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

test('counts say how many places there are by severity and check, and the worst on each page', async () => {
  const { result } = await lab.call<FindingCounts>('GET', `/sessions/${sessionId}/findings/counts`, { as: ana });
  expect(result.severities).toEqual({ Fail: 5, Warn: 3, Info: 251 });
  expect(result.checks[0]).toEqual({ check: 'Fonts', severity: 'Fail', count: 4 });
  const worst = new Map(result.pages.map((place) => [place.page, place.worst]));
  expect([1, 2, 3, 4, 5].map((page) => worst.get(page))).toEqual(['Info', 'Warn', 'Fail', 'Info', 'Warn']);
  expect(result.pages).toHaveLength(250);
});

test('a session is sent without its findings', async () => {
  const { result } = await lab.call<object>('GET', `/sessions/${sessionId}`, { as: ana });
  expect(result).not.toHaveProperty('findings');
});

test('another subscriber gets neither', async () => {
  const away = await lab.makeSubscriber('Other Print');
  const stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@example.com'));
  for (const path of ['findings', 'findings/counts'])
    expect((await lab.call('GET', `/sessions/${sessionId}/${path}`, { as: stranger })).statusCode).toBe(404);
});
