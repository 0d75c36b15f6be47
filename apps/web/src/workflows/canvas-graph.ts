import type { WorkflowEdge, WorkflowStep } from '@pdf2press/contract';
import type { NodeChange } from '@xyflow/react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilt, useDraft, useFlow } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { lanesOf } from './edge-routes.ts';
import { arrowHead } from './flow-canvas.tsx';
import { issuesByStep } from './graph-index.ts';
import { inFlow } from './layout-graph.ts';
import type { StepEdgeType } from './step-edge.tsx';
import type { StepNodeType } from './step-node.tsx';
import { nodeSize, type Place, sizeOf } from './step-places.ts';

const tidyMilliseconds = 200;
const markerEnd = arrowHead('var(--p2p-border)');

/** Nodes with changed positions and sizes. Selection changes are ignored: the builder decides what is selected. */
export function withChanges(nodes: StepNodeType[], changes: readonly NodeChange<StepNodeType>[]): StepNodeType[] {
  const byId = new Map<string, Partial<StepNodeType>>();
  for (const change of changes) {
    if (change.type === 'position' && change.position)
      byId.set(change.id, { ...byId.get(change.id), position: change.position, dragging: change.dragging === true });
    if (change.type === 'dimensions' && change.dimensions)
      byId.set(change.id, { ...byId.get(change.id), measured: change.dimensions });
  }
  return byId.size === 0 ? nodes : nodes.map((node) => (byId.has(node.id) ? { ...node, ...byId.get(node.id) } : node));
}

/** The steps in the order of the flow. */
export function useOrder(): readonly WorkflowStep[] {
  const flow = useFlow();
  return useMemo(() => inFlow(flow), [flow]);
}

/** The steps as nodes in the order of the flow. An unchanged node stays the same object. */
export function useNodes() {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const { steps } = useDraft();
  const flow = useFlow();
  const chosen = useBuilt((state) => state.chosen);
  const issues = useBuilt((state) => state.issues);
  const [nodes, setNodes] = useState<StepNodeType[]>([]);
  const order = useOrder();
  const labels = useMemo(
    () =>
      new Map(
        order.map((step, at) => {
          const count = issuesByStep(issues).get(step.id)?.length ?? 0;
          const parts = [
            words.title(step),
            t('workflows.stepOf', { number: at + 1, count: order.length }),
            ...words.ways(flow, step),
            ...(count > 0 ? [t('builder.issues', { count })] : []),
          ];
          return [step.id, parts.join(', ')];
        }),
      ),
    [order, flow, issues, words, t],
  );
  const animation = useRef(0);
  useEffect(() => {
    const isChosen = new Set(chosen);
    const places = new Map(steps.map(({ id, position }) => [id, position]));
    const next = (before: StepNodeType[], placeOf: (id: string, now: Place | undefined) => Place) => {
      const known = new Map(before.map((node) => [node.id, node]));
      const after = order.map((step): StepNodeType => {
        const old = known.get(step.id);
        const position = placeOf(step.id, old?.position);
        const selected = isChosen.has(step.id);
        const ariaLabel = labels.get(step.id) ?? '';
        const isSame =
          old &&
          old.selected === selected &&
          old.ariaLabel === ariaLabel &&
          old.position.x === position.x &&
          old.position.y === position.y;
        return isSame
          ? old
          : {
              ...(old ?? { id: step.id, type: 'step' as const, data: {}, dragging: false }),
              position,
              selected,
              ariaLabel,
              // With a known size, nodes outside the visible part need not be drawn.
              initialWidth: nodeSize.width,
              initialHeight: sizeOf(step).height,
            };
      });
      return after.length === before.length && after.every((node, at) => node === before[at]) ? before : after;
    };
    cancelAnimationFrame(animation.current);
    setNodes((before) => {
      const moved = before.filter(({ id, position }) => {
        const place = places.get(id);
        return place && (place.x !== position.x || place.y !== position.y);
      });
      const stands = (id: string) => places.get(id) ?? { x: 0, y: 0 };
      const isStill = moved.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (isStill) return next(before, stands);
      const from = new Map(moved.map(({ id, position }) => [id, position]));
      const began = performance.now();
      const frame = (now: number) => {
        const share = Math.min(1, Math.max(0, (now - began) / tidyMilliseconds));
        const eased = 1 - (1 - share) ** 3;
        setNodes((current) =>
          next(current, (id) => {
            const [start, end] = [from.get(id), stands(id)];
            return start ? { x: start.x + (end.x - start.x) * eased, y: start.y + (end.y - start.y) * eased } : end;
          }),
        );
        if (share < 1) animation.current = requestAnimationFrame(frame);
      };
      animation.current = requestAnimationFrame(frame);
      return next(before, (id, now) => now ?? stands(id));
    });
    return () => cancelAnimationFrame(animation.current);
  }, [order, steps, chosen, labels]);
  return { nodes, setNodes };
}

/**
 * The connections as edges, those that share a column on lanes of their own. An unchanged edge stays the same object, and
 * the list stays the same while no edge changes: the library draws all of them again for another list.
 */
export function useEdges(): StepEdgeType[] {
  const words = useBuilderWords();
  const draft = useDraft();
  const { steps } = useFlow();
  const chosenEdge = useBuilt((state) => state.chosenEdge);
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const [drawn] = useState(() => new WeakMap<WorkflowEdge, StepEdgeType>());
  const list = useRef<StepEdgeType[]>([]);
  const titles = useMemo(() => new Map(steps.map((step) => [step.id, words.title(step)])), [steps, words]);
  // The lanes follow in a frame of their own: looking for them among many steps takes as long as drawing them.
  const placed = useDeferredValue(draft);
  const lanes = useMemo(() => lanesOf(placed), [placed]);
  return useMemo(() => {
    const edges = draft.edges.map((edge): StepEdgeType => {
      const selected = edge.id === chosenEdge;
      const lane = lanes.get(edge.id) ?? null;
      const name = `${titles.get(edge.from) ?? ''} → ${titles.get(edge.to) ?? ''}`;
      const old = drawn.get(edge);
      if (old?.selected === selected && old.data?.lane === lane && old.data.name === name) return old;
      const next: StepEdgeType = {
        id: edge.id,
        source: edge.from,
        sourceHandle: edge.outcome,
        target: edge.to,
        type: 'step',
        selected,
        markerEnd,
        data: { lane, name, isReadOnly },
      };
      drawn.set(edge, next);
      return next;
    });
    const before = list.current;
    const isSame = edges.length === before.length && edges.every((edge, at) => edge === before[at]);
    if (!isSame) list.current = edges;
    return list.current;
  }, [draft.edges, lanes, titles, chosenEdge, isReadOnly, drawn]);
}
