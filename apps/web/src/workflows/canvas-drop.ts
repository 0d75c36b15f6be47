import type { FinalConnectionState, ReactFlowInstance } from '@xyflow/react';
import type { DragEvent } from 'react';
import type { Builder } from './builder-store.ts';
import { carriedKind } from './carried-kind.ts';
import type { StepEdgeType } from './step-edge.tsx';
import type { StepNodeType } from './step-node.tsx';
import { grid, nodeSize, type Place } from './step-places.ts';

type Flow = ReactFlowInstance<StepNodeType, StepEdgeType>;

const onGrid = ({ x, y }: Place): Place => ({ x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid });

/**
 * The pointer is released while a connection is drawn. Over a step, anywhere on it, the two are connected or the builder says
 * which rule forbids it; over empty canvas the list of step kinds opens.
 */
export function endConnection(
  builder: Builder,
  flow: Flow,
  event: MouseEvent | TouchEvent,
  state: FinalConnectionState,
): void {
  const { drawing } = builder.store.getState();
  builder.endConnection();
  if (!drawing || state.isValid) return;
  const point = 'changedTouches' in event ? event.changedTouches[0] : event;
  if (!point) return;
  const under = document.elementFromPoint(point.clientX, point.clientY);
  const stepId = state.toNode?.id ?? under?.closest<HTMLElement>('.react-flow__node')?.dataset.id;
  if (stepId) {
    builder.connect({ from: drawing.from, outcome: drawing.outcome, to: stepId });
    return;
  }
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
}

/** A kind of step from the palette is dropped: the step's centre is where the pointer is. */
export function dropKind(builder: Builder, flow: Flow, event: DragEvent): void {
  const kind = carriedKind(event);
  if (!kind) return;
  event.preventDefault();
  const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
  const position = onGrid({ x: at.x - nodeSize.width / 2, y: at.y - nodeSize.height / 2 });
  builder.addStep(kind, { kind: 'at', position });
}
