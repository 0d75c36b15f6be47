import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  Controls,
  type FinalConnectionState,
  MarkerType,
  MiniMap,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react';
import { type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../preferences/preferences.ts';
import classes from './builder.module.css';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { CanvasKeys } from './canvas-keys.tsx';
import { carriedKind, isKindCarried } from './carried-kind.ts';
import { lanesOf } from './edge-routes.ts';
import { inFlow } from './layout-graph.ts';
import { type SnapLine, snapPlace } from './snap-place.ts';
import { StepEdge, type StepEdgeType } from './step-edge.tsx';
import { isEntered } from './step-kinds.ts';
import { StepNode, type StepNodeType } from './step-node.tsx';
import { boxOf, grid, nodeSize, type Place, sizeOf } from './step-places.ts';

/** Below this zoom nobody reads the names: the canvas opens at it or above. */
const legible = 0.75;
const margin = 48;
/** From so many steps on, only those in sight are drawn. */
const manySteps = 80;
const tidyMilliseconds = 200;

const nodeTypes = { step: StepNode };
const edgeTypes = { step: StepEdge };
const markerEnd = {
  type: MarkerType.ArrowClosed,
  markerUnits: 'userSpaceOnUse',
  width: 18,
  height: 18,
  color: 'var(--p2p-border)',
};

/** The workflow to draw on. Where steps stand while they are dragged is known here alone; the rest is the builder's. */
export function BuilderCanvas() {
  return (
    <ReactFlowProvider>
      <Canvas />
    </ReactFlowProvider>
  );
}

function Canvas() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const flow = useReactFlow<StepNodeType, StepEdgeType>();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const hasMap = usePreferences((preferences) => preferences.builderMap);
  const scrollZooms = usePreferences((preferences) => preferences.scrollZooms);
  const stage = useRef<HTMLDivElement>(null);
  const { nodes, order, setNodes } = useNodes();
  const edges = useEdges();
  const [lines, setLines] = useState<readonly SnapLine[]>([]);
  const isFree = useRef(false);
  useSeeking(stage);
  useOpening(stage, flow);

  const change = useCallback(
    (changes: NodeChange<StepNodeType>[]) => {
      const { draft } = builder.store.getState().history.present;
      const dragged = changes.flatMap((one) => (one.type === 'position' && one.dragging && one.position ? [one] : []));
      if (dragged[0]?.position) {
        const moving = new Set(dragged.map(({ id }) => id));
        const step = draft.steps.find(({ id }) => id === dragged[0]?.id);
        const others = draft.steps.filter(({ id }) => !moving.has(id)).map(boxOf);
        const from = dragged[0].position;
        const snapped =
          step && !isFree.current ? snapPlace({ ...from, ...sizeOf(step) }, others) : { place: from, lines: [] };
        // All that is dragged together moves by the same shift.
        const shift = { x: snapped.place.x - from.x, y: snapped.place.y - from.y };
        for (const one of dragged)
          if (one.position) one.position = { x: one.position.x + shift.x, y: one.position.y + shift.y };
        setLines(snapped.lines);
      }
      setNodes((before) => applied(before, changes));
      const selections = changes.filter((one) => one.type === 'select');
      if (selections.length > 0) {
        const chosen = new Set(builder.store.getState().chosen);
        for (const { id, selected } of selections) selected ? chosen.add(id) : chosen.delete(id);
        builder.choose([...chosen]);
      }
    },
    [builder, setNodes],
  );
  /** One drag is one entry: where the steps lie in the end. */
  const settle = useCallback(
    (_: unknown, __: unknown, moved: StepNodeType[]) => {
      setLines([]);
      builder.move(new Map(moved.map(({ id, position }) => [id, position])));
    },
    [builder],
  );
  const endConnection = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    const { drawing } = builder.store.getState();
    builder.endConnection();
    if (!drawing || state.isValid) return;
    const point = 'changedTouches' in event ? event.changedTouches[0] : event;
    if (!point) return;
    const under = document.elementFromPoint(point.clientX, point.clientY);
    const stepId = state.toNode?.id ?? under?.closest<HTMLElement>('.react-flow__node')?.dataset.id;
    // Let go over a step, wherever on it: the connection is drawn, or the rule is told.
    if (stepId) return builder.connect({ from: drawing.from, outcome: drawing.outcome, to: stepId });
    if (!under?.closest('.react-flow__pane')) return;
    const at = flow.screenToFlowPosition({ x: point.clientX, y: point.clientY });
    builder.pick({
      for: 'step',
      place: {
        kind: 'after',
        from: drawing.from,
        outcome: drawing.outcome,
        position: onGrid({ x: at.x, y: at.y - nodeSize.height / 2 }),
      },
      at: { x: point.clientX, y: point.clientY },
    });
  };
  const drop = (event: DragEvent) => {
    const kind = carriedKind(event);
    if (!kind) return;
    event.preventDefault();
    const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const position = onGrid({ x: at.x - nodeSize.width / 2, y: at.y - nodeSize.height / 2 });
    builder.addStep(kind, { kind: 'at', position });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; the palette does the same by click and by keys
    <div
      ref={stage}
      className={classes.canvas}
      dir="ltr"
      onPointerMoveCapture={(event) => {
        isFree.current = event.altKey;
      }}
      onDragOver={(event) => {
        if (isKindCarried(event)) event.preventDefault();
      }}
      onDrop={drop}
    >
      <CanvasKeys order={order}>
        <ReactFlow<StepNodeType, StepEdgeType>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onNodesChange={change}
          onNodeDragStop={settle}
          onSelectionDragStop={(event, moved) => settle(event, undefined, moved)}
          onNodeClick={(event, { id }) => {
            if (!event.shiftKey && !event.ctrlKey && !event.metaKey) builder.openStep(id);
          }}
          onEdgeClick={(_, edge) => builder.choose([], edge.id)}
          onPaneClick={() => builder.choose([])}
          onConnectStart={(_, { nodeId, handleId }) =>
            nodeId && handleId && builder.beginConnection({ from: nodeId, outcome: handleId })
          }
          onConnect={({ source, sourceHandle, target }) =>
            builder.connect({ from: source, outcome: sourceHandle ?? '', to: target })
          }
          onConnectEnd={endConnection}
          onReconnect={(edge, { source, sourceHandle, target }) =>
            builder.reconnect({ edgeId: edge.id, from: source, outcome: sourceHandle ?? '', to: target })
          }
          isValidConnection={({ target }) => builder.store.getState().drawing?.refusals.has(target ?? '') !== true}
          nodesDraggable={!isReadOnly}
          nodesConnectable={!isReadOnly}
          edgesReconnectable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={['Shift', 'Control', 'Meta']}
          panActivationKeyCode="Space"
          panOnDrag={[0, 1]}
          panOnScroll={!scrollZooms}
          zoomOnScroll={scrollZooms}
          zoomOnDoubleClick={false}
          elevateNodesOnSelect={false}
          connectionRadius={28}
          nodeDragThreshold={3}
          minZoom={0.2}
          maxZoom={2}
          onlyRenderVisibleElements={nodes.length > manySteps}
          role="application"
          aria-label={t('workflows.canvas')}
          aria-roledescription={t('builder.canvas')}
          ariaLabelConfig={{
            'controls.ariaLabel': t('workflows.controls'),
            'controls.zoomIn.ariaLabel': t('keys.zoomIn'),
            'controls.zoomOut.ariaLabel': t('keys.zoomOut'),
            'controls.fitView.ariaLabel': t('keys.fit'),
            'minimap.ariaLabel': t('workflows.miniMap'),
            'node.a11yDescription.default': '',
          }}
        >
          <Background variant={BackgroundVariant.Dots} gap={grid} size={1.2} color="var(--p2p-hairline)" />
          <Controls showInteractive={false} />
          {hasMap && nodes.length > 0 && (
            <MiniMap
              pannable
              zoomable
              nodeColor="var(--p2p-border)"
              maskColor="color-mix(in srgb, var(--p2p-text) 10%, transparent)"
              bgColor="var(--p2p-canvas)"
            />
          )}
          <ViewportPortal>
            {lines.map(({ axis, at }) => (
              <span
                key={`${axis}${at}`}
                className={classes.helperLine}
                data-axis={axis}
                style={{ transform: axis === 'x' ? `translateX(${at}px)` : `translateY(${at}px)` }}
              />
            ))}
          </ViewportPortal>
        </ReactFlow>
      </CanvasKeys>
      <Reason />
    </div>
  );
}

const onGrid = ({ x, y }: Place): Place => ({ x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid });

/** What the canvas itself keeps of changes: places and measures. What is chosen comes back from the builder. */
function applied(nodes: StepNodeType[], changes: readonly NodeChange<StepNodeType>[]): StepNodeType[] {
  const byId = new Map<string, Partial<StepNodeType>>();
  for (const change of changes) {
    if (change.type === 'position' && change.position)
      byId.set(change.id, { ...byId.get(change.id), position: change.position, dragging: change.dragging === true });
    if (change.type === 'dimensions' && change.dimensions)
      byId.set(change.id, { ...byId.get(change.id), measured: change.dimensions });
  }
  return byId.size === 0 ? nodes : nodes.map((node) => (byId.has(node.id) ? { ...node, ...byId.get(node.id) } : node));
}

/** The steps as nodes in the order of the flow. A node stays the same object while nothing of it changes. */
function useNodes() {
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
              // Its box is known before it is drawn: what is out of sight need not be.
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

function useEdges(): StepEdgeType[] {
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

/** Opens so that names can be read: whole where that is possible, else at the end where the files come in. */
function useOpening(
  stage: React.RefObject<HTMLDivElement | null>,
  flow: ReactFlowInstance<StepNodeType, StepEdgeType>,
): void {
  const builder = useBuilder();
  useEffect(() => {
    const { draft } = builder.store.getState().history.present;
    const { clientWidth: width = 0, clientHeight: height = 0 } = stage.current ?? {};
    if (draft.steps.length === 0 || width === 0) return;
    const boxes = draft.steps.map(boxOf);
    const left = Math.min(...boxes.map(({ x }) => x));
    const top = Math.min(...boxes.map(({ y }) => y));
    const right = Math.max(...boxes.map((box) => box.x + box.width));
    const bottom = Math.max(...boxes.map((box) => box.y + box.height));
    const fitting = Math.min(width / (right - left + 2 * margin), height / (bottom - top + 2 * margin));
    const zoom = Math.min(1, Math.max(legible, fitting));
    const x = fitting >= legible ? (width - (right - left) * zoom) / 2 : margin;
    const entry = draft.steps.find(({ kind }) => !isEntered(kind));
    const middle = fitting < legible && entry ? entry.position.y + nodeSize.height / 2 : (top + bottom) / 2;
    void flow.setViewport({ x: x - left * zoom, y: height / 2 - middle * zoom, zoom });
  }, [builder, flow, stage]);
}

/** Brings a step into sight that an issue or a key leads to; what is in sight already stays where it is. */
function useSeeking(stage: React.RefObject<HTMLDivElement | null>): void {
  const builder = useBuilder();
  const flow = useReactFlow();
  const sought = useBuilt((state) => state.sought);
  useEffect(() => {
    const step = builder.store.getState().history.present.draft.steps.find(({ id }) => id === sought?.stepId);
    if (!step || !stage.current) return;
    const box = boxOf(step);
    const frame = stage.current;
    // The panel beside the canvas may be opening: what remains of it is known with the next frame.
    const waiting = requestAnimationFrame(() => {
      const bounds = frame.getBoundingClientRect();
      const start = flow.flowToScreenPosition({ x: box.x, y: box.y });
      const end = flow.flowToScreenPosition({ x: box.x + box.width, y: box.y + box.height });
      const isInSight =
        start.x > bounds.left + 8 && end.x < bounds.right - 48 && start.y > bounds.top + 8 && end.y < bounds.bottom - 8;
      if (!isInSight)
        void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, {
          zoom: Math.max(legible, flow.getZoom()),
          duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : tidyMilliseconds,
        });
    });
    return () => cancelAnimationFrame(waiting);
  }, [sought, builder, flow, stage]);
}

/** Why the step under the pointer cannot be the end of the connection that is being drawn. */
function Reason() {
  const { t } = useTranslation();
  const drawing = useBuilt((state) => state.drawing);
  const [told, setTold] = useState<{ code: string; x: number; y: number } | null>(null);
  useEffect(() => {
    if (!drawing) return setTold(null);
    const follow = (event: PointerEvent) => {
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const id = under?.closest<HTMLElement>('.react-flow__node')?.dataset.id;
      const code = id === undefined ? undefined : drawing.refusals.get(id);
      setTold(code ? { code, x: event.clientX, y: event.clientY } : null);
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, [drawing]);
  return told ? (
    <span className={classes.reason} style={{ left: told.x + 16, top: told.y + 16 }}>
      {t(told.code)}
    </span>
  ) : null;
}
