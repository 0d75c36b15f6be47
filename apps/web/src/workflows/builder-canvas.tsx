import {
  type ReactFlowInstance,
  type ReactFlowProps,
  ReactFlowProvider,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react';
import { memo, type RefObject, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../preferences/preferences.ts';
import classes from './builder.module.css';
import { type Builder, useBuilder, useBuilt } from './builder-store.ts';
import { useDrag } from './canvas-drag.ts';
import { dropKind, endConnection } from './canvas-drop.ts';
import { useEdges, useNodes } from './canvas-graph.ts';
import { CanvasKeys } from './canvas-keys.tsx';
import { useOpening, useSeeking } from './canvas-view.ts';
import { isKindCarried } from './carried-kind.ts';
import { DrawingReason } from './drawing-reason.tsx';
import { FlowCanvas } from './flow-canvas.tsx';
import { StepEdge, type StepEdgeType } from './step-edge.tsx';
import { StepNode, type StepNodeType } from './step-node.tsx';

/** From this number of steps on, only visible ones are drawn. */
const manySteps = 80;

const nodeTypes = { step: StepNode };
const edgeTypes = { step: StepEdge };

// The library tells everything on the canvas of each property that is another object than before: these stay the same.
const selectKeys = ['Shift', 'Control', 'Meta'];
const panButtons = [0, 1];

/** The workflow to draw on. Positions during a drag are kept here; everything else is in the builder's store. */
export const BuilderCanvas = memo(function BuilderCanvas() {
  return (
    <ReactFlowProvider>
      <Canvas />
    </ReactFlowProvider>
  );
});

type Flow = ReactFlowInstance<StepNodeType, StepEdgeType>;
type Gestures = Pick<
  ReactFlowProps<StepNodeType, StepEdgeType>,
  | 'onNodeDragStop'
  | 'onSelectionDragStop'
  | 'onNodeClick'
  | 'onEdgeClick'
  | 'onPaneClick'
  | 'onConnectStart'
  | 'onConnect'
  | 'onConnectEnd'
  | 'onReconnect'
  | 'isValidConnection'
>;

/** What each gesture on the canvas asks the builder for. */
const gesturesOf = (builder: Builder, flow: Flow, settle: (moved: readonly StepNodeType[]) => void): Gestures => ({
  onNodeDragStop: (_, __, moved) => settle(moved),
  onSelectionDragStop: (_, moved) => settle(moved),
  onNodeClick: (event, { id }) => {
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) builder.openStep(id);
  },
  onEdgeClick: (_, edge) => builder.choose([], edge.id),
  onPaneClick: () => builder.choose([]),
  onConnectStart: (_, { nodeId, handleId }) => {
    if (nodeId && handleId) builder.beginConnection({ from: nodeId, outcome: handleId });
  },
  onConnect: ({ source, sourceHandle, target }) =>
    builder.connect({ from: source, outcome: sourceHandle ?? '', to: target }),
  onConnectEnd: (event, state) => endConnection(builder, flow, event, state),
  onReconnect: (edge, { source, sourceHandle, target }) =>
    builder.reconnect({ edgeId: edge.id, from: source, outcome: sourceHandle ?? '', to: target }),
  isValidConnection: ({ target }) => builder.store.getState().drawing?.refusals.has(target ?? '') !== true,
});

function Canvas() {
  const builder = useBuilder();
  const flow = useReactFlow<StepNodeType, StepEdgeType>();
  const stage = useRef<HTMLDivElement>(null);
  /** While Alt is held steps do not snap. */
  const isFree = useRef(false);
  useSeeking(stage);
  useOpening(stage, flow);

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
      onDrop={(event) => dropKind(builder, flow, event)}
    >
      <CanvasKeys>
        <Drawing isFree={isFree} />
      </CanvasKeys>
      <DrawingReason />
    </div>
  );
}

/** The drawing itself, which is all that is drawn again while steps are dragged. */
const Drawing = memo(function Drawing({ isFree }: { isFree: Readonly<RefObject<boolean>> }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const flow = useReactFlow<StepNodeType, StepEdgeType>();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const hasMap = usePreferences((preferences) => preferences.builderMap);
  const scrollZooms = usePreferences((preferences) => preferences.scrollZooms);
  const { nodes, setNodes } = useNodes();
  const edges = useEdges();
  const { lines, change, settle } = useDrag(setNodes, isFree);
  const gestures = useMemo(() => gesturesOf(builder, flow, settle), [builder, flow, settle]);
  return (
    <FlowCanvas<StepNodeType, StepEdgeType>
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={change}
      {...gestures}
      nodesDraggable={!isReadOnly}
      nodesConnectable={!isReadOnly}
      edgesReconnectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode="Shift"
      multiSelectionKeyCode={selectKeys}
      panActivationKeyCode="Space"
      panOnDrag={panButtons}
      panOnScroll={!scrollZooms}
      zoomOnScroll={scrollZooms}
      zoomOnDoubleClick={false}
      elevateNodesOnSelect={false}
      connectionRadius={28}
      nodeDragThreshold={3}
      hasMap={hasMap && nodes.length > 0}
      onlyRenderVisibleElements={nodes.length > manySteps}
      role="application"
      aria-roledescription={t('builder.canvas')}
    >
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
    </FlowCanvas>
  );
});
