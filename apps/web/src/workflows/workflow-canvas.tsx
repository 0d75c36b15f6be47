import type { SessionStep, WorkflowDefinition, WorkflowStep } from '@pdf2press/contract';
import {
  type Edge,
  Handle,
  type Node,
  type NodeChange,
  type NodeProps,
  Position,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../language/formats.ts';
import { stepText } from '../sessions/finding-totals.tsx';
import { StatusIcon, stepLook } from '../sessions/status.tsx';
import { stepTitle } from '../sessions/step-title.ts';
import { useBuilderWords } from './builder-words.ts';
import { arrowHead, FlowCanvas, legibleZoom } from './flow-canvas.tsx';
import { inFlow, isPlaced, placesOf } from './layout-graph.ts';
import { StepIcon } from './step-icon.tsx';
import { isEntered, portsOf } from './step-kinds.ts';
import classes from './workflows.module.css';

interface Props {
  definition: WorkflowDefinition;
  runs?: readonly SessionStep[] | undefined;
  /** A note for each step, by its id: what a click on it does. */
  notes?: ReadonlyMap<string, string> | undefined;
  chosen?: string | null;
  /** Called with the selected step; null when none is selected. */
  onChoose?: (stepId: string | null) => void;
}

interface StepData extends Record<string, unknown> {
  step: WorkflowStep;
  run: SessionStep | null;
  note: string;
  isOverlay: boolean;
}

const grid = { x: 240, y: 120 };
const margin = 40;
const nodeTypes = { step: StepNode };

/** A read-only graph; with `runs`, the steps that a session ran are marked. */
export function WorkflowCanvas({ definition, runs, notes, chosen = null, onChoose }: Props) {
  const { t, i18n } = useTranslation();
  const nodes = useMemo((): Node<StepData>[] => {
    const laid = isPlaced(definition.steps) ? null : placesOf(definition);
    const order = inFlow(definition);
    // The order of the list is the tab order.
    return order.map((step, at) => {
      const place = laid?.get(step.id);
      const run = runs?.findLast((one) => one.stepId === step.id) ?? null;
      return {
        id: step.id,
        type: 'step',
        selected: step.id === chosen,
        position: place ? { x: place.x * grid.x, y: place.y * grid.y } : step.position,
        data: { step, run, note: notes?.get(step.id) ?? '', isOverlay: runs !== undefined },
        ariaLabel: [
          stepTitle(step, t),
          t('workflows.stepOf', { number: at + 1, count: order.length }),
          run && t(`stepStatus.${run.status}`),
          notes?.get(step.id),
        ]
          .filter(Boolean)
          .join(', '),
      };
    });
  }, [definition, runs, notes, chosen, i18n.language]);
  const edges = useMemo(
    (): Edge[] =>
      definition.edges.map((edge) => {
        const from = runs?.findLast((run) => run.stepId === edge.from);
        const to = runs?.findLast((run) => run.stepId === edge.to);
        const isTaken =
          from !== undefined && to !== undefined && (from.outcome === null || from.outcome === edge.outcome);
        return {
          id: edge.id,
          source: edge.from,
          sourceHandle: edge.outcome,
          target: edge.to,
          type: 'smoothstep',
          animated: isTaken && to?.status === 'Running',
          className: [classes.edge, runs && (isTaken ? classes.taken : classes.notTaken)].filter(Boolean).join(' '),
          markerEnd: arrowHead(isTaken ? 'var(--p2p-strong)' : 'var(--p2p-border)'),
        };
      }),
    [definition, runs],
  );
  const stage = useRef<HTMLDivElement>(null);
  const begin = (flow: ReactFlowInstance<Node<StepData>>) => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = stage.current ?? {};
    const bounds = flow.getNodesBounds(flow.getNodes());
    const fitting = Math.min(width / (bounds.width + 2 * margin), height / (bounds.height + 2 * margin));
    if (fitting >= legibleZoom) return void flow.fitView({ minZoom: legibleZoom, maxZoom: 1, padding: 0.16 });
    // Too large to be legible as a whole: it opens at the entry step.
    void flow.setViewport({
      x: 24 - bounds.x * legibleZoom,
      y: height / 2 - (bounds.y + bounds.height / 2) * legibleZoom,
      zoom: legibleZoom,
    });
  };
  const flow = useRef<ReactFlowInstance<Node<StepData>>>(null);
  const isMoved = useRef(false);
  const move = () => {
    isMoved.current = true;
  };
  // The layout around it is built step by step, and phones are rotated: the view is fitted again until the user moves it.
  useEffect(() => {
    const observer = new ResizeObserver(() =>
      requestAnimationFrame(() => flow.current && !isMoved.current && begin(flow.current)),
    );
    if (stage.current) observer.observe(stage.current);
    return () => observer.disconnect();
  }, []);
  const change = (changes: readonly NodeChange<Node<StepData>>[]) => {
    const selections = changes.filter((one) => one.type === 'select');
    if (selections.length > 0) onChoose?.(selections.find(({ selected }) => selected)?.id ?? null);
  };
  return (
    <div ref={stage} className={classes.canvas} dir="ltr">
      <FlowCanvas
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        hasMap={definition.steps.length > 12}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable
        onInit={(instance) => {
          flow.current = instance;
          begin(instance);
        }}
        onMoveStart={(event) => event && move()}
        onNodesChange={change}
        onZoom={move}
        panOnScroll
      />
    </div>
  );
}

function StepNode({ data }: NodeProps<Node<StepData>>) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const { step, run, note, isOverlay } = data;
  const outcomes = portsOf(step);
  return (
    <div
      className={classes.node}
      data-tone={run ? stepLook(run).tone : undefined}
      data-dim={(isOverlay && !run) || undefined}
    >
      {isEntered(step.kind) && <Handle type="target" position={Position.Left} />}
      <StepIcon kind={step.kind} />
      <span className={classes.nodeText}>
        <b>{stepTitle(step, t)}</b>
        <small>
          {run
            ? [stepText(run, t), run.durationMs !== null && formatDuration(run.durationMs)].filter(Boolean).join(' · ')
            : note || (step.name !== '' && t(`step.${step.kind}`))}
        </small>
      </span>
      {run && <StatusIcon look={stepLook(run)} size={18} isRunning={run.status === 'Running'} />}
      {outcomes.map((outcome, at) => (
        <Handle
          key={outcome}
          id={outcome}
          type="source"
          position={Position.Right}
          style={{ insetBlockStart: `${((at + 1) * 100) / (outcomes.length + 1)}%` }}
        >
          {outcomes.length > 1 && <span className={classes.port}>{words.port(step, outcome)}</span>}
        </Handle>
      ))}
    </div>
  );
}
