import type { NodeChange } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { lanesOf } from './edge-routes.ts';
import { arrowHead } from './flow-canvas.tsx';
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

/** The steps as nodes in the order of the flow. An unchanged node stays the same object. */
export function useNodes() {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const draft = useDraft();
  const chosen = useBuilt((state) => state.chosen);
  const issues = useBuilt((state) => state.issues);
  const [nodes, setNodes] = useState<StepNodeType[]>([]);
  const order = useMemo(() => inFlow(draft), [draft]);
  const labels = useMemo(
    () =>
      new Map(
        order.map((step, at) => {
          const count = issues.filter(({ stepId }) => stepId === step.id).length;
          const parts = [
            words.title(step),
            t('workflows.stepOf', { number: at + 1, count: order.length }),
            ...words.ways(draft, step),
            ...(count > 0 ? [t('builder.issues', { count })] : []),
          ];
          return [step.id, parts.join(', ')];
        }),
      ),
    [order, draft, issues, t],
  );
  const animation = useRef(0);
  useEffect(() => {
    const isChosen = new Set(chosen);
    const places = new Map(order.map(({ id, position }) => [id, position]));
    const next = (before: readonly StepNodeType[], placeOf: (id: string, now: Place | undefined) => Place) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return order.map((step): StepNodeType => {
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
  }, [order, chosen, labels]);
  return { nodes, order, setNodes };
}

/** The connections as edges, those that share a column on lanes of their own. */
export function useEdges(): StepEdgeType[] {
  const words = useBuilderWords();
  const draft = useDraft();
  const chosenEdge = useBuilt((state) => state.chosenEdge);
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  return useMemo(() => {
    const lanes = lanesOf(draft);
    const titles = new Map(draft.steps.map((step) => [step.id, words.title(step)]));
    return draft.edges.map(
      (edge): StepEdgeType => ({
        id: edge.id,
        source: edge.from,
        sourceHandle: edge.outcome,
        target: edge.to,
        type: 'step',
        selected: edge.id === chosenEdge,
        markerEnd,
        data: {
          lane: lanes.get(edge.id) ?? null,
          name: `${titles.get(edge.from) ?? ''} → ${titles.get(edge.to) ?? ''}`,
          isReadOnly,
        },
      }),
    );
  }, [draft, chosenEdge, isReadOnly, words.title]);
}
