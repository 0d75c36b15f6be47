import type { NodeChange } from '@xyflow/react';
import { type Dispatch, type SetStateAction, useCallback, useRef, useState } from 'react';
import { type Builder, useBuilder } from './builder-store.ts';
import { withChanges } from './canvas-graph.ts';
import { type SnapLine, snapPlace } from './snap-place.ts';
import type { StepNodeType } from './step-node.tsx';
import { boxOf, sizeOf } from './step-places.ts';

/** Does something in a frame of its own, so that the frame that follows the pointer is not longer for it. */
const inLaterFrame = (act: () => void) => requestAnimationFrame(() => setTimeout(act));

/** Moving and selecting nodes. The builder is told where dragged steps are when the drag ends. */
export function useDrag(setNodes: Dispatch<SetStateAction<StepNodeType[]>>) {
  const builder = useBuilder();
  const [lines, setLines] = useState<readonly SnapLine[]>([]);
  /** While Alt is held steps do not snap. */
  const isFree = useRef(false);
  const change = useCallback(
    (changes: NodeChange<StepNodeType>[]) => {
      const snapped = snapDragged(builder, changes, isFree.current);
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
      const places = new Map(moved.map(({ id, position }) => [id, position]));
      inLaterFrame(() => builder.move(places));
    },
    [builder],
  );
  return { lines, isFree, change, settle };
}

/**
 * Aligns dragged nodes with the others by changing the positions in `changes`; all of them move by the shift of the first.
 * @returns the lines that show the alignment; null when nothing is dragged
 */
function snapDragged(
  builder: Builder,
  changes: readonly NodeChange<StepNodeType>[],
  isFree: boolean,
): readonly SnapLine[] | null {
  const dragged = changes.flatMap((one) => (one.type === 'position' && one.dragging && one.position ? [one] : []));
  const from = dragged[0]?.position;
  if (!from) return null;
  const { steps } = builder.store.getState().history.present.draft;
  const moving = new Set(dragged.map(({ id }) => id));
  const step = steps.find(({ id }) => id === dragged[0]?.id);
  if (!step || isFree) return [];
  const others = steps.filter(({ id }) => !moving.has(id)).map(boxOf);
  const { place, lines } = snapPlace({ ...from, ...sizeOf(step) }, others);
  const shift = { x: place.x - from.x, y: place.y - from.y };
  for (const one of dragged)
    if (one.position) one.position = { x: one.position.x + shift.x, y: one.position.y + shift.y };
  return lines;
}
