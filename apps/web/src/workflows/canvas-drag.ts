import type { NodeChange, NodePositionChange } from '@xyflow/react';
import { type Dispatch, type RefObject, type SetStateAction, useCallback, useRef, useState } from 'react';
import { type Builder, useBuilder } from './builder-store.ts';
import { withChanges } from './canvas-graph.ts';
import { type SnapLine, snapPlace } from './snap-place.ts';
import type { StepNodeType } from './step-node.tsx';
import { type Box, boxOf, type Size, sizeOf } from './step-places.ts';

/** Does something in a frame of its own, so that the frame that follows the pointer is not longer for it. */
const inLaterFrame = (act: () => void) => requestAnimationFrame(() => setTimeout(act));

/**
 * Moving and selecting nodes; `isFree` while steps do not snap. The builder is told where dragged steps are when the drag ends.
 */
export function useDrag(setNodes: Dispatch<SetStateAction<StepNodeType[]>>, isFree: Readonly<RefObject<boolean>>) {
  const builder = useBuilder();
  const [lines, setLines] = useState<readonly SnapLine[]>([]);
  /** Looked up with the first movement of a drag, for all of its others. */
  const held = useRef<Held | null>(null);
  const change = useCallback(
    (changes: NodeChange<StepNodeType>[]) => {
      const dragged = changes.flatMap((one) => (isDragged(one) ? [one] : []));
      if (dragged.length > 0) held.current ??= holdDragged(builder, dragged);
      const snapped = held.current && snapDragged(held.current, dragged, isFree.current);
      if (snapped) setLines(snapped);
      setNodes((before) => withChanges(before, changes));
      const selections = changes.filter((one) => one.type === 'select');
      if (selections.length === 0) return;
      // A drag begins by choosing what is dragged: what the screen shows of chosen steps follows.
      inLaterFrame(() => {
        const chosen = new Set(builder.store.getState().chosen);
        for (const { id, selected } of selections) selected ? chosen.add(id) : chosen.delete(id);
        builder.choose([...chosen]);
      });
    },
    [builder, setNodes],
  );
  /**
   * One drag is one entry of the history, with the last positions. What else the screen draws then (undo, save, unsaved
   * changes) follows the frame in which the steps are dropped.
   */
  const settle = useCallback(
    (moved: readonly StepNodeType[]) => {
      setLines([]);
      held.current = null;
      const places = new Map(moved.map(({ id, position }) => [id, position]));
      inLaterFrame(() => builder.move(places));
    },
    [builder],
  );
  return { lines, change, settle };
}

type Dragged = NodePositionChange & Required<Pick<NodePositionChange, 'position'>>;

const isDragged = (change: NodeChange<StepNodeType>): change is Dragged =>
  change.type === 'position' && change.dragging === true && change.position !== undefined;

/** What stays the same for as long as steps are dragged. */
interface Held {
  /** Of the first of them. */
  size: Size;
  /** The boxes that they may keep to. */
  others: readonly Box[];
}

function holdDragged(builder: Builder, dragged: readonly Dragged[]): Held | null {
  const { steps } = builder.store.getState().history.present.draft;
  const moving = new Set(dragged.map(({ id }) => id));
  const step = steps.find(({ id }) => id === dragged[0]?.id);
  return step ? { size: sizeOf(step), others: steps.filter(({ id }) => !moving.has(id)).map(boxOf) } : null;
}

/**
 * Aligns dragged nodes with the others by changing their positions; all of them move by the shift of the first.
 * @returns the lines that show the alignment; null when nothing is dragged
 */
function snapDragged({ size, others }: Held, dragged: readonly Dragged[], isFree: boolean): readonly SnapLine[] | null {
  const from = dragged[0]?.position;
  if (!from) return null;
  if (isFree) return [];
  const { place, lines } = snapPlace({ ...from, ...size }, others);
  const shift = { x: place.x - from.x, y: place.y - from.y };
  for (const one of dragged) one.position = { x: one.position.x + shift.x, y: one.position.y + shift.y };
  return lines;
}
