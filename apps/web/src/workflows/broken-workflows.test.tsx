import { Writable } from 'node:stream';
import { MantineProvider } from '@mantine/core';
import { contractMessages, sentence, type Workflow, type WorkflowIssue } from '@pdf2press/contract';
import {
  type BrokenWorkflow,
  brokenWorkflows,
  soundProfileId,
  soundWorkflow,
  toldAtGestureOnly,
  without,
} from '@pdf2press/steps/testing';
import { QueryClientProvider } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import i18next from 'i18next';
import type { ComponentType, ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { queries } from '../client/queries.ts';
import { words } from '../language/words.en.ts';
import { BuilderHead } from './builder-head.tsx';
import { type Builder, BuilderProvider, createBuilder } from './builder-store.ts';
import { IssuesPanel } from './issues-panel.tsx';
import { ListView } from './list-view.tsx';
import { StepNode } from './step-node.tsx';
import { StepPanel } from './step-panel.tsx';
import { VariablesPanel } from './variables-panel.tsx';

/*
 * Every rule as the builder shows it, from the list that the API's test takes its cases from: on the step, in the panel of
 * issues, in the list view and at the field. Drawn to text, without a browser.
 */

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    resources: { en: { translation: words } },
  });
});

const workflowOf = ({ definition, name = 'Cards', code, where, isKnownToServerOnly }: BrokenWorkflow): Workflow => ({
  id: 'wfl_1',
  name,
  description: '',
  isEnabled: true,
  publishedVersion: null,
  organization: null,
  hasUnpublishedChanges: true,
  createdAt: '2026-11-22T10:00:00.000Z',
  updatedAt: '2026-11-22T10:00:00.000Z',
  sessionCount: 0,
  sketch: { steps: [], edges: [] },
  variables: [],
  takes: { uploads: true, types: ['PDF'], zips: 'sessions', sidecars: false, named: [] },
  draft: definition(),
  draftRevision: 1,
  issues: isKnownToServerOnly ? [{ code, ...where, message: sentence(contractMessages, 'en', code, {}) }] : [],
});

async function open(broken: BrokenWorkflow): Promise<Builder> {
  const builder = createBuilder(workflowOf(broken), { isReadOnly: false });
  await builder.startChecks();
  const { getState, setState } = builder.store;
  setState({ around: {} });
  builder.setAround({ profileIds: { preflight: new Set([soundProfileId]) }, features: new Set() });
  // What is drawn to text shows the state that a store began with.
  return { ...builder, store: { ...builder.store, getState, getInitialState: getState } };
}

/** What a component shows, as the text that a reader sees; what is loaded when it is shown has been waited for. */
function shown(builder: Builder, content: ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    let html = '';
    const sink = new Writable({
      write: (chunk: Buffer, _, done) => {
        html += String(chunk);
        done();
      },
      final: (done) => {
        resolve(
          html
            .replaceAll(/<!--.*?-->/g, '')
            .replaceAll('&#x27;', "'")
            .replaceAll('&quot;', '"')
            .replaceAll('&amp;', '&'),
        );
        done();
      },
    });
    const { pipe } = renderToPipeableStream(
      <MemoryRouter>
        <MantineProvider>
          <QueryClientProvider client={queries}>
            <ReactFlowProvider>
              <BuilderProvider value={builder}>{content}</BuilderProvider>
            </ReactFlowProvider>
          </QueryClientProvider>
        </MantineProvider>
      </MemoryRouter>,
      { onAllReady: () => pipe(sink), onError: reject },
    );
  });
}

const head = (builder: Builder, workflow: Workflow) =>
  shown(
    builder,
    <BuilderHead workflow={workflow} saving={{} as never} tab="edit" onTab={vi.fn()} onPublish={vi.fn()} />,
  );

/** A step on the canvas; what else the canvas tells it does not matter here. */
const Step = StepNode as unknown as ComponentType<{ id: string }>;

/** A setting that the kind does not have, and the id of a rule, which nobody types. */
const hasNoField = new Set(['colour', 'rules.1.id']);

const count = (text: string, part: string) => text.split(part).length - 1;

describe.each(brokenWorkflows)('$code, $where', (broken) => {
  const { code, where } = broken;
  let builder: Builder;
  let issue: WorkflowIssue;
  let text: string;

  beforeAll(async () => {
    builder = await open(broken);
    const find = () => builder.store.getState().issues.find((one) => one.code === code && one.stepId === where.stepId);
    // Regular expressions are judged when their engine has been loaded.
    await vi.waitFor(() => expect(find()).toMatchObject({ code, ...where }));
    issue = find() as WorkflowIssue;
    text = issue.message ?? i18next.t(code, { ...issue.params, variable: issue.variable ?? '' });
    expect(text).not.toMatch(/[{}]|^(workflow|rule|placeholder|value)\./);
  });

  test('stands in the panel of issues', async () => {
    expect(await shown(builder, <IssuesPanel />)).toContain(text);
  });

  test('stands on the step, and in the list', async () => {
    if (issue.stepId === undefined) return;
    const node = await shown(builder, <Step id={issue.stepId} />);
    expect(node).toContain(text);
    expect(await shown(builder, <ListView />)).toContain(text);
  });

  test('stands at the field', async () => {
    builder.openIssue(issue);
    if (issue.variable !== undefined) {
      const panel = await shown(builder, <VariablesPanel />);
      expect(panel).toContain(text);
    } else if (issue.stepId !== undefined) {
      const panel = await shown(builder, <StepPanel />);
      // Once above the form, and once at the field that it is about; the profile's field stands for both.
      const isOnce = issue.field === undefined || issue.field === 'profileId' || hasNoField.has(issue.field);
      expect(count(panel, text)).toBeGreaterThanOrEqual(isOnce ? 1 : 2);
    } else if (issue.field === 'name') expect(await head(builder, workflowOf(broken))).toContain(text);
  });
});

describe('at the gesture', () => {
  const sound = (): Promise<Builder> => open({ code: '', definition: soundWorkflow, where: {} });
  const cut = (): Promise<Builder> => open({ code: '', definition: () => without('e4'), where: {} });
  const gestures: [code: string, begin: () => Promise<Builder>, gesture: (builder: Builder) => void][] = [
    ['workflow.twoInjections', sound, (builder) => builder.addStep('Inject', null)],
    ['workflow.twoCompletions', sound, (builder) => builder.addStep('Complete', null)],
    [
      'workflow.alreadyConnected',
      sound,
      (builder) => builder.connect({ from: 'inject', outcome: 'done', to: 'preflight' }),
    ],
    ['workflow.moreThanOneStep', sound, (builder) => builder.connect({ from: 'inject', outcome: 'done', to: 'hold' })],
    ['workflow.toPrevious', cut, (builder) => builder.connect({ from: 'hold', outcome: 'continue', to: 'preflight' })],
    ['workflow.portUnknown', cut, (builder) => builder.connect({ from: 'hold', outcome: 'gone', to: 'complete' })],
  ];

  test.each(gestures)('%s is refused and said, and nothing changes', async (code, begin, gesture) => {
    const builder = await begin();
    const { history } = builder.store.getState();
    gesture(builder);
    expect(builder.store.getState().refused?.codes).toEqual([code]);
    expect(builder.store.getState().history).toBe(history);
    expect(i18next.t(code)).not.toBe(code);
  });

  test('what is told at the gesture alone is told there', () => {
    expect(gestures.map(([code]) => code)).toEqual(expect.arrayContaining(toldAtGestureOnly));
  });

  test('while a connection is drawn, each step that cannot be its end has the reason', async () => {
    const builder = await cut();
    builder.beginConnection({ from: 'hold', outcome: 'continue' });
    expect(Object.fromEntries(builder.store.getState().drawing?.refusals ?? [])).toEqual({
      inject: 'workflow.toPrevious',
      preflight: 'workflow.toPrevious',
      condition: 'workflow.toPrevious',
      hold: 'workflow.toPrevious',
    });
  });
});
