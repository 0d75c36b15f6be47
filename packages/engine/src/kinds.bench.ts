import path from 'node:path';
import { type BenchRow, sideBySide } from '@pdf2press/config/bench';
import { type StepKind, type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { runStep, type StepTools } from '@pdf2press/steps/runners';
import type { ExecuteStep } from './steps/run-step.ts';
import { openLab } from './testing/lab.ts';
import { startWorker } from './worker/worker.ts';

const sessions = 24;
/** Steps of the measured kind in each session, so that what begins and ends it counts little. */
const repeated = 8;
/** Two measurements of one and the same work differ by so much on a busy machine. */
const accuracy = 1.25;

const rule = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
const fits = {
  match: 'all',
  rules: [
    rule('file.name', 'contains', 'test'),
    rule('file.sizeBytes', 'less', 1_000_000),
    rule('session.restartCount', 'equals', 0),
  ],
};

interface Measured {
  kind: StepKind;
  settings: Readonly<Record<string, unknown>>;
  outcome: string;
}
/** Kinds that only look and decide: they open no file and wait for nobody. */
const pure: readonly Measured[] = [
  { kind: 'Condition', settings: { when: fits }, outcome: 'true' },
  {
    kind: 'Route',
    settings: {
      rules: [{ id: 'other', action: 'continue', when: { match: 'none', rules: [fits] } }],
    },
    outcome: 'otherwise',
  },
  { kind: 'Rename', settings: { pattern: '{{session.shortId}}_{{file.baseName|max:20}}' }, outcome: 'done' },
];

/** Inject, the measured steps one after the other, Complete. */
function chainOf({ kind, settings, outcome }: Measured): WorkflowDefinition {
  const middle = Array.from({ length: repeated }, (_, at) => ({ id: `n${at}`, kind, settings }));
  const ids = ['inject', ...middle.map(({ id }) => id), 'complete'];
  return workflowDefinitionSchema.parse({
    steps: [{ id: 'inject', kind: 'Inject' }, ...middle, { id: 'complete', kind: 'Complete' }],
    edges: ids.slice(1).map((to, at) => ({ id: `e${at}`, from: ids[at], outcome: at === 0 ? 'done' : outcome, to })),
  });
}

const tools: StepTools = {
  progress: () => undefined,
  runTask: () => Promise.reject(new Error('opens no PDF')),
};

/** Seconds that a worker takes for all sessions; `real` is the kind that runs, the others do nothing. */
async function secondsOf(
  server: { url: string },
  { definition, outcome, real }: { definition: WorkflowDefinition; outcome: string; real: StepKind | null },
): Promise<number> {
  const lab = await openLab(server, { definition });
  await Promise.all(Array.from({ length: sessions }, () => lab.hand()));
  const execute: ExecuteStep = async (context) => {
    const { kind } = context.step;
    if (kind === real) return runStep(context, tools);
    if (kind === 'Complete') return { end: 'session', status: 'Completed' };
    return { end: 'outcome', outcome: kind === 'Inject' ? 'done' : outcome };
  };
  const started = performance.now();
  const worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'bench',
    doorbell: { kind: 'none' },
    slots: 8,
    execute,
    workFolder: path.join(lab.folder, 'work'),
    engineVersion: 'bench',
  });
  await lab.settled(120_000);
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  const { rows } = await lab.sql.query(`select count(*)::int as n from sessions where status = 'Completed'`);
  await lab.close();
  if (rows[0].n !== sessions) throw new Error(`${rows[0].n} of ${sessions} sessions completed`);
  return seconds;
}

/** Steps of the kinds that only decide, beside steps that do nothing: what their own work adds to the cost of a step. */
export async function bench(): Promise<BenchRow[]> {
  const server = await startTestPostgres({ isDurable: true });
  const rows: BenchRow[] = [];
  const measured = [
    ...pure.map((one) => ({ ...one, definition: chainOf(one) })),
    // A session completes once: its last step alone is real.
    {
      kind: 'Complete' as const,
      outcome: 'done',
      definition: chainOf({ kind: 'Retention', settings: {}, outcome: 'done' }),
    },
  ];
  for (const { kind, definition, outcome } of measured) {
    const { ours, peer, ratio } = await sideBySide(
      () => secondsOf(server, { definition, outcome, real: kind }),
      () => secondsOf(server, { definition, outcome, real: null }),
    );
    rows.push({
      name: `engine: ${sessions} sessions with steps of the kind ${kind}`,
      ours,
      unit: 's',
      peer: 'the same with steps that do nothing',
      peerValue: peer,
      ratio,
      limit: accuracy,
    });
  }
  await server.stop();
  return rows;
}
