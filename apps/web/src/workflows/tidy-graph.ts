import dagre from '@dagrejs/dagre';
import type { WorkflowDefinition } from '@pdf2press/contract';
import { portsOf } from './step-kinds.ts';
import { gap, grid, type Place, sizeOf } from './step-places.ts';

type Graph = Pick<WorkflowDefinition, 'steps' | 'edges'>;

const onGrid = (value: number) => Math.round(value / grid) * grid;

/**
 * Places for steps from left to right: ranks by dagre, then the steps of each rank put in the order of the ports that
 * lead to them, which dagre does not know of, so that the way of an upper port does not cross that of a lower one.
 * With `ids` only those steps are placed, around the corner where they stood; alone, the first step keeps its place.
 */
export function tidyPlaces(graph: Graph, ids?: readonly string[]): Map<string, Place> {
  const steps = ids && ids.length > 1 ? graph.steps.filter(({ id }) => ids.includes(id)) : graph.steps;
  if (steps.length === 0) return new Map();
  const known = new Map(steps.map((step) => [step.id, step]));
  const edges = graph.edges.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const laid = new dagre.graphlib.Graph({ multigraph: true });
  laid.setGraph({ rankdir: 'LR', ranksep: gap.x, nodesep: gap.y, edgesep: gap.y });
  laid.setDefaultEdgeLabel(() => ({}));
  for (const step of steps) laid.setNode(step.id, { ...sizeOf(step) });
  for (const { id, from, to } of edges) laid.setEdge(from, to, {}, id);
  dagre.layout(laid);

  const centres = new Map(
    steps.map(({ id }) => {
      const { x, y } = laid.node(id) as Place;
      return [id, { x, y }];
    }),
  );
  sortRanks({ steps, edges }, centres);
  const places = new Map(
    steps.map((step) => {
      const { width, height } = sizeOf(step);
      const centre = centres.get(step.id) ?? { x: 0, y: 0 };
      return [step.id, { x: onGrid(centre.x - width / 2), y: onGrid(centre.y - height / 2) }];
    }),
  );
  return around(places, new Map(steps.map(({ id, position }) => [id, position])));
}

/** Rank by rank from the left: the places of a rank are given out again, by where the incoming ports are. */
function sortRanks({ steps, edges }: Graph, centres: Map<string, Place>): void {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ranks = new Map<number, string[]>();
  for (const [id, { x }] of centres) ranks.set(x, [...(ranks.get(x) ?? []), id]);
  for (const [, rank] of [...ranks].sort(([a], [b]) => a - b)) {
    const wish = new Map(rank.map((id) => [id, wishOf(id)]));
    const places = rank.map((id) => centres.get(id)?.y ?? 0).sort((a, b) => a - b);
    const order = [...rank].sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
    for (const [at, id] of order.entries()) {
      const centre = centres.get(id);
      if (centre) centre.y = places[at] ?? centre.y;
    }
  }
  /** The middle of the ports that lead to a step; a step that nothing leads to stays where it is. */
  function wishOf(id: string): number {
    const heights = edges.flatMap(({ from, outcome, to }) => {
      const parent = byId.get(from);
      const centre = centres.get(from);
      if (to !== id || !parent || !centre) return [];
      const ports = portsOf(parent);
      const { height } = sizeOf(parent);
      return [centre.y - height / 2 + ((ports.indexOf(outcome) + 1) * height) / (ports.length + 1)];
    });
    return heights.length > 0
      ? heights.reduce((sum, height) => sum + height, 0) / heights.length
      : (centres.get(id)?.y ?? 0);
  }
}

/** Moves places as a whole, so that their upper left corner is where it was. */
function around(places: Map<string, Place>, before: ReadonlyMap<string, Place>): Map<string, Place> {
  const corner = (all: Iterable<Place>): Place => {
    const list = [...all];
    return { x: Math.min(...list.map(({ x }) => x)), y: Math.min(...list.map(({ y }) => y)) };
  };
  const [now, then] = [corner(places.values()), corner(before.values())];
  const shift = { x: onGrid(then.x - now.x), y: onGrid(then.y - now.y) };
  return new Map([...places].map(([id, { x, y }]) => [id, { x: x + shift.x, y: y + shift.y }]));
}
