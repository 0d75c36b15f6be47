import { type ReactFlowInstance, useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { useBuilder, useBuilt } from './builder-store.ts';
import { legibleZoom } from './flow-canvas.tsx';
import type { StepEdgeType } from './step-edge.tsx';
import { isEntered } from './step-kinds.ts';
import type { StepNodeType } from './step-node.tsx';
import { boxOf, nodeSize } from './step-places.ts';

/** Pixels kept free around the drawing when it is opened. */
const margin = 48;
const seekMilliseconds = 200;
/** What lies over the canvas: the overview and the zoom buttons. */
const overlays = '.react-flow__minimap, .react-flow__controls';

/** Opens with legible names: the whole graph where it fits, else the entry step. */
export function useOpening(
  stage: RefObject<HTMLDivElement | null>,
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
    const zoom = Math.min(1, Math.max(legibleZoom, fitting));
    const x = fitting >= legibleZoom ? (width - (right - left) * zoom) / 2 : margin;
    const entry = draft.steps.find(({ kind }) => !isEntered(kind));
    const middle = fitting < legibleZoom && entry ? entry.position.y + nodeSize.height / 2 : (top + bottom) / 2;
    void flow.setViewport({ x: x - left * zoom, y: height / 2 - middle * zoom, zoom });
  }, [builder, flow, stage]);
}

/** Scrolls to the step of an issue or of a keyboard command, unless it is visible. */
export function useSeeking(stage: RefObject<HTMLDivElement | null>): void {
  const builder = useBuilder();
  const flow = useReactFlow();
  const sought = useBuilt((state) => state.sought);
  useEffect(() => {
    const step = builder.store.getState().history.present.draft.steps.find(({ id }) => id === sought?.stepId);
    if (!step || !stage.current) return;
    const box = boxOf(step);
    const frame = stage.current;
    // The panel beside the canvas may be opening; the size of the canvas is known in the next frame.
    const waiting = requestAnimationFrame(() => {
      const bounds = frame.getBoundingClientRect();
      const start = flow.flowToScreenPosition({ x: box.x, y: box.y });
      const end = flow.flowToScreenPosition({ x: box.x + box.width, y: box.y + box.height });
      // The exits of a step and their buttons stand at its right.
      const needed = { left: start.x - 8, right: end.x + 48, top: start.y - 8, bottom: end.y + 8 };
      const isInside =
        needed.left > bounds.left &&
        needed.right < bounds.right &&
        needed.top > bounds.top &&
        needed.bottom < bounds.bottom;
      const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : seekMilliseconds;
      if (!isInside) {
        const zoom = Math.max(legibleZoom, flow.getZoom());
        void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, duration });
        return;
      }
      // They lie at the bottom: what is below one moves up as far as it must, so that its neighbors stay in sight.
      const covered = [...frame.querySelectorAll(overlays)].map((overlay) => {
        const { left, right, top, bottom } = overlay.getBoundingClientRect();
        const isOver = needed.left < right && needed.right > left && needed.top < bottom && needed.bottom > top;
        return isOver ? needed.bottom - top : 0;
      });
      const up = Math.max(0, ...covered);
      const view = flow.getViewport();
      if (up > 0) void flow.setViewport({ ...view, y: view.y - up }, { duration });
    });
    return () => cancelAnimationFrame(waiting);
  }, [sought, builder, flow, stage]);
}
