import { workflowDefinitionSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { lanePath, lanesOf } from './edge-routes.ts';
import { snapPlace } from './snap-place.ts';
import { boxOf, overlaps } from './step-places.ts';
import { tidyPlaces } from './tidy-graph.ts';
import { moveSteps } from './workflow-edit.ts';

const step = (id: string, kind: string, x = 0, y = 0) => ({ id, kind, position: { x, y } });
const edge = (from: string, outcome: string, to: string) => ({ id: `${from}-${outcome}`, from, outcome, to });

const branching = workflowDefinitionSchema.parse({
  steps: [
    step('no', 'Cancel'),
    step('yes', 'Fix'),
    step('inject', 'Inject'),
    step('preflight', 'Preflight'),
    step('condition', 'Condition'),
    step('complete', 'Complete'),
  ],
  edges: [
    edge('inject', 'done', 'preflight'),
    edge('preflight', 'done', 'condition'),
    edge('condition', 'false', 'no'),
    edge('condition', 'true', 'yes'),
    edge('yes', 'done', 'complete'),
  ],
});

test('tidy puts every step right of those that lead to it, and none over another', () => {
  const tidy = moveSteps(branching, tidyPlaces(branching));
  const at = (id: string) => tidy.steps.find((one) => one.id === id)?.position ?? { x: 0, y: 0 };
  for (const { from, to } of tidy.edges) expect(at(to).x).toBeGreaterThan(at(from).x + 200);
  const boxes = tidy.steps.map(boxOf);
  expect(boxes.some((a, one) => boxes.some((b, other) => one < other && overlaps(a, b)))).toBe(false);
});

test('the way of the upper port stays above that of the lower one', () => {
  const places = tidyPlaces(branching);
  expect(places.get('yes')?.y).toBeLessThan(places.get('no')?.y ?? 0);
});

test('a tidy selection stays where it was and leaves the others alone', () => {
  const spread = moveSteps(branching, new Map([['condition', { x: 1000, y: 400 }]]));
  const places = tidyPlaces(spread, ['condition', 'yes', 'no']);
  expect([...places.keys()].sort()).toEqual(['condition', 'no', 'yes']);
  expect(Math.min(...[...places.values()].map(({ x }) => x))).toBe(0);
});

test('150 steps are tidied, none over another', () => {
  const count = 150;
  const long = workflowDefinitionSchema.parse({
    steps: Array.from({ length: count }, (_, at) => step(`s${at}`, at === 0 ? 'Inject' : 'Fix')),
    edges: Array.from({ length: count - 1 }, (_, at) => edge(`s${at}`, 'done', `s${at + 1}`)),
  });
  const boxes = moveSteps(long, tidyPlaces(long)).steps.map(boxOf);
  expect(boxes.some((a, one) => boxes.some((b, other) => one < other && overlaps(a, b)))).toBe(false);
});

test('a connection that would run behind a step takes a lane beside it', () => {
  const row = workflowDefinitionSchema.parse({
    steps: [step('inject', 'Inject'), step('fix', 'Fix', 300), step('complete', 'Complete', 600)],
    edges: [edge('inject', 'done', 'complete')],
  });
  const lane = lanesOf(row).get('inject-done') ?? 0;
  const between = boxOf(row.steps[1] as (typeof row.steps)[number]);
  expect(lane < between.y || lane > between.y + between.height).toBe(true);
  const { path, middle } = lanePath({ x: 200, y: 32 }, { x: 600, y: 32 }, lane);
  expect(path.startsWith('M200 32')).toBe(true);
  expect(middle).toEqual({ x: 400, y: lane });
});

test('a connection with nothing in its way takes none', () => {
  const pair = workflowDefinitionSchema.parse({
    steps: [step('inject', 'Inject'), step('complete', 'Complete', 300)],
    edges: [edge('inject', 'done', 'complete')],
  });
  expect(lanesOf(pair).size).toBe(0);
});

test('a dragged step takes the line of a near one, else the grid', () => {
  const other = { x: 300, y: 100, width: 200, height: 64 };
  const near = snapPlace({ x: 297, y: 407, width: 200, height: 64 }, [other]);
  expect(near.place).toEqual({ x: 300, y: 400 });
  expect(near.lines).toEqual([{ axis: 'x', at: 300 }]);
  expect(snapPlace({ x: 51, y: 69, width: 200, height: 64 }, []).place).toEqual({ x: 60, y: 60 });
});
