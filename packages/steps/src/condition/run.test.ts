import type { WorkflowVariable } from '@pdf2press/contract';
import type { RuleGroup } from '@pdf2press/settings';
import { describe, expect, test } from 'vitest';
import { runStep } from '../runners.ts';
import type { StepContext } from '../step.ts';

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };

const page = (number: number, width: number, height: number, bleed: number, rotate = 0) => {
  const trim = [10, 10, 10 + width, 10 + height];
  const around = [10 - bleed, 10 - bleed, 10 + width + bleed, 10 + height + bleed];
  const effective = { media: [0, 0, width + 20, height + 20], crop: around, bleed: around, trim, art: trim };
  return { number, label: '', effective, rotate, userUnit: 1, inks: ['Black', 'Gold'], transparency: false };
};
const inspection = {
  pdf: { version: '1.6', producer: 'Test', title: null, conformance: ['PDF/X-4'] },
  pageCount: 2,
  pages: [page(1, 612, 792, 8.5), page(2, 612, 792, 3, 180)],
  fonts: [
    { name: 'Frutiger', embedded: false, used: true },
    { name: 'Arial', embedded: false, used: false },
  ],
  images: [{ ppi: { x: 300, y: 251 } }, { ppi: { x: null, y: null } }],
  inks: [{ name: 'Gold', used: true }],
};
const preflightReport = {
  counts: { Info: 1, Warn: 2, Fail: 0 },
  checks: [{ checkKey: 'ImageResolution', result: 'Warning', summary: { lowest: 251 } }],
  findings: [
    { checkKey: 'ImageResolution', ruleKey: 'ImageResolution.low', severity: 'Warn', page: 2, count: 2 },
    { checkKey: 'Bleed', ruleKey: 'Bleed.short', severity: 'Info', page: 1, count: 1 },
  ],
};

const variable = (name: string, type: WorkflowVariable['type'], initial: WorkflowVariable['default'] = null) => ({
  name,
  type,
  default: initial,
  isRequired: false,
  isPublic: false,
  options: [],
});

function stepContext(when: unknown, read: string[] = []): StepContext {
  const made: Record<string, unknown> = { inspection, preflightReport };
  return {
    settings: { when },
    step: { id: 's', kind: 'Condition', name: '' },
    session: {
      id: 'ses_1',
      createdAt: new Date('2026-11-22T08:00:00Z'),
      runNo: 2,
      rerouteCount: 0,
      result: 'Warning',
      errorCount: 0,
      warningCount: 2,
      pageCount: 2,
      variables: { quantity: 500, product: null },
      previous: { outcome: 'done', result: 'Warning' },
    },
    workflow: {
      id: 'wfl_1',
      name: 'Flyers',
      version: 1,
      variables: [variable('quantity', 'Number'), variable('product', 'String', '{{file.baseName}}')],
    },
    reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
    file: { name: 'Flyer.pdf', size: 1000, sha256: 'x' },
    original: { name: 'Flyer.pdf' },
    readMade: async (role: string) => {
      read.push(role);
      return made[role];
    },
  } as unknown as StepContext;
}

const outcomeOf = async (when: RuleGroup) => {
  const done = await runStep(stepContext(when), tools);
  return done.end === 'outcome' ? done.outcome : done.end;
};

describe('facts of a session', () => {
  test.each([
    ['pdf.trimWidth', 'between', ['215mm', '216mm']],
    ['pdf.trimHeight', 'equals', '11in'],
    ['pdf.bleedMin', 'less', '3mm'],
    ['pdf.orientation', 'is', 'Portrait'],
    ['pdf.isOneSize', 'is', true],
    ['pdf.pageCount', 'multipleOf', 2],
    ['pdf.spotNames', 'containsAny', ['gold']],
    ['pdf.fontsMissing', 'containsNone', ['Arial']],
    ['pdf.fontsMissing', 'countEquals', 1],
    ['pdf.minPpi', 'atLeast', 251],
    ['pdf.conformance', 'startsWith', 'PDF/X'],
    ['preflight.result', 'in', ['Warning', 'Error']],
    ['preflight.warningCount', 'equals', 2],
    ['preflight.infoCount', 'equals', 1],
    ['preflight.check.imageresolution.result', 'is', 'Warning'],
    ['preflight.check.ImageResolution.value', 'less', 300],
    ['session.restartCount', 'equals', 1],
    ['step.previousResult', 'is', 'Warning'],
    ['quantity', 'atLeast', 500],
    ['file.name', 'matchesRegex', '^fl.er'],
    ['file.name', 'equals', 'flyer.PDF'],
  ])('%s %s %j', async (fact, operator, value) => {
    expect(await outcomeOf({ match: 'all', rules: [{ fact, operator, value: value as string }] })).toBe('true');
    expect(await outcomeOf({ match: 'none', rules: [{ fact, operator, value: value as string }] })).toBe('false');
  });

  test('findings are counted by check, severity and page', async () => {
    const counted = (findings: object) =>
      outcomeOf({
        match: 'all',
        rules: [
          { fact: 'preflight.findings', operator: 'equals', value: 2, findings: { severity: 'Info', ...findings } },
        ],
      });
    expect(await counted({ check: 'ImageResolution' })).toBe('true');
    expect(await counted({ severity: 'Warn', pages: '2' })).toBe('true');
    expect(await counted({ severity: 'Warn', pages: '1' })).toBe('false');
    expect(await counted({})).toBe('false');
  });
});

test('the log shows each rule with what was expected and found; what is not known is false', async () => {
  const when: RuleGroup = {
    match: 'any',
    rules: [
      { fact: 'order.quantity', operator: 'less', value: 5 },
      { match: 'all', rules: [{ fact: 'quantity', operator: 'equals', value: { variable: 'pdf.pageCount' } }] },
    ],
  };
  expect(await runStep(stepContext(when), tools)).toMatchObject({
    end: 'outcome',
    outcome: 'false',
    summary: {
      verdict: false,
      table: [
        { path: 'rules.0', fact: 'order.quantity', operator: 'less', expected: [5], actual: null, verdict: false },
        { path: 'rules.1.rules.0', fact: 'quantity', expected: [2], actual: 500, verdict: false },
      ],
    },
  });
});

test('only the files that a name asks about are read', async () => {
  const readFor = async (fact: string) => {
    const read: string[] = [];
    await runStep(stepContext({ match: 'all', rules: [{ fact, operator: 'exists' }] }, read), tools);
    return read;
  };
  expect(await readFor('file.name')).toEqual([]);
  expect(await readFor('pdf.producer')).toEqual(['inspection']);
  expect(await readFor('preflight.infoCount')).toEqual(['preflightReport']);
});
