import {
  hasNoValue,
  knownNames,
  nameKey,
  resolvePlaceholders,
  ruleVariables,
  sessionVariables,
} from '@pdf2press/settings';
import { expect, test } from 'vitest';
import type { KnownOfSession } from './step.ts';
import { stepFacts } from './step-facts.ts';

const box = [0, 0, 200, 100];
/** What steps of a run wrote, as far as facts are made of it: one page, one image, one font, one spot colour. */
const made: Readonly<Record<string, object>> = {
  inspection: {
    pdf: { version: '1.6', conformance: ['PDF/X-4'], producer: 'Press', title: 'Flyer' },
    pages: [
      {
        rotate: 0,
        userUnit: 1,
        effective: { media: box, crop: box, bleed: box, trim: box, art: box },
        inks: ['Black'],
        transparency: false,
      },
    ],
    fonts: [{ name: 'Frutiger', embedded: false, used: true }],
    images: [{ ppi: { x: 300, y: 300 } }],
    inks: [{ name: 'Gold', used: true }],
  },
  preflightReport: {
    counts: { Fail: 0, Warn: 2, Info: 1 },
    findingsText: 'No bleed',
    findings: [],
    checks: [
      { checkKey: 'InkCoverage', result: 'Warning', summary: { maxAllInks: 286, colourPages: 6, blackPages: 2 } },
    ],
  },
  fixReport: { actions: [{ action: 'AddBleeds', outcome: 'Applied' }], changes: [{ count: 4 }] },
  plan: { layout: 'StepNRepeat', sheets: [{ width: 900, height: 600, front: { cells: [{}, {}] } }] },
};

/** A session of which everything is known that can be known while its workflow runs. */
const full = (reader: Partial<KnownOfSession['reader']> = {}) =>
  ({
    step: { id: 'stp_1', kind: 'Rename', name: 'Name' },
    session: {
      fileName: 'in.pdf',
      id: 'ses_0c2f4e6a',
      createdAt: new Date('2026-11-22T22:30:00Z'),
      source: 'ManualInjected',
      sourceName: 'Ana',
      runNo: 1,
      rerouteCount: 0,
      result: 'Warning',
      errorCount: 0,
      warningCount: 2,
      pageCount: 8,
      variables: Object.fromEntries(
        [...Object.entries(sessionVariables)].flatMap(([name, { type }]) =>
          /^(?:order|upload)\./.test(name)
            ? [[name, type === 'Number' ? 5 : type === 'Date' ? '2026-11-27' : 'x']]
            : [],
        ),
      ),
      previous: { outcome: 'done', result: 'Success' },
      otherFileNames: [],
      arrival: {
        part: { fileName: 'all.pdf', pages: [9, 16], index: 2, count: 5 },
        duplicateOf: 'ses_0a1b2c3d',
        isCompared: true,
      },
    },
    workflow: { id: 'wfl_1', name: 'Flyers', version: 1, variables: [] },
    reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC', ...reader },
    file: { name: 'in.pdf', size: 1000, sha256: 'x' },
    original: { name: 'in.pdf' },
    readMade: async (role: string) => made[role],
    readAround: async () => ({
      app: { title: 'House', baseUrl: 'https://print.example' },
      parentId: 'ses_0a1b2c3d',
      finishedAt: null,
      organization: { id: 'org_1', name: 'Lima Design', color: '#0f766e' },
      user: { name: 'Ana', email: 'ana@example.com' },
      fileVersion: 1,
      hold: { reason: 'Paper', by: 'Piotr', since: new Date('2026-11-22T09:00:00Z') },
    }),
    takeCounters: async () => ({ total: 7, daily: 2, all: 9 }),
  }) as unknown as KnownOfSession;

const names = Object.keys({ ...sessionVariables, ...ruleVariables });

test('every predefined name has a value while a workflow runs, or no list offers it', async () => {
  const { facts } = await stepFacts(full(), names);
  // Findings are counted by what a rule asks for.
  const empty = names.filter(
    (name) => name !== 'preflight.findings' && (facts.get(nameKey(name))?.value ?? null) === null,
  );
  expect(empty).toEqual(names.filter(hasNoValue));
  const offered = new Set(knownNames({ scope: 'rule', variables: [] }).list.map(({ name }) => name));
  expect(names.filter((name) => !offered.has(name))).toEqual(empty);
});

test('days and hours are those of the reader’s time zone', async () => {
  const now = new Date('2026-11-22T22:30:00Z');
  const text = async (timeZone: string) => {
    const context = full({ timeZone });
    const { facts } = await stepFacts(context, ['date', 'time', 'session.createdAt'], now);
    const pattern = '{{date}} {{time}} {{session.createdAt|date:d MMMM HH:mm}}';
    return resolvePlaceholders(pattern, facts, context.reader);
  };
  expect(await text('UTC')).toBe('2026-11-22 22:30 22 November 22:30');
  expect(await text('Europe/Berlin')).toBe('2026-11-22 23:30 22 November 23:30');
  expect(await text('Asia/Tokyo')).toBe('2026-11-23 07:30 23 November 07:30');
});

test.each([
  [{}, { 'file.isDuplicate': undefined, 'file.duplicateOf': undefined, 'part.index': undefined }],
  [{ isCompared: true }, { 'file.isDuplicate': false, 'file.duplicateOf': undefined, 'part.index': undefined }],
  [
    { isCompared: true, duplicateOf: 'ses_1', part: { fileName: 'all.zip', entry: 'b.pdf', index: 2, count: 3 } },
    { 'file.isDuplicate': true, 'file.duplicateOf': 'ses_1', 'part.index': 2 },
  ],
  // Of an earlier release, which did not remember that it looked.
  [{ duplicateOf: 'ses_1' }, { 'file.isDuplicate': true, 'file.duplicateOf': 'ses_1', 'part.index': undefined }],
] as const)('what is known of how a file came: %j', async (arrival, known) => {
  const context = full();
  const { facts } = await stepFacts(
    { ...context, session: { ...context.session, arrival } } as unknown as KnownOfSession,
    Object.keys(known),
  );
  const found = Object.keys(known).map((name) => [name, facts.get(nameKey(name))?.value ?? undefined]);
  expect(Object.fromEntries(found)).toEqual(known);
});
