import { IconPlus } from '@tabler/icons-react';
import { BaseEdge, type Edge, type EdgeProps, getSmoothStepPath, useStore } from '@xyflow/react';
import { memo, type ReactNode, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { useBuilder } from './builder-store.ts';
import { lanePath } from './edge-routes.ts';

/** `lane` is where the line passes by the steps that are in its way. */
export type StepEdgeType = Edge<{ lane: number | null; name: string; isReadOnly: boolean }, 'step'>;

/** So much of a connection that runs straight lies before its button: the name of its port takes up the first half. */
const beforePlus = 0.72;
/** Ends whose heights differ by less lie beside the button in its middle, canvas units. */
const straight = 24;

/** A connection, with the button that puts a step there: in its middle, or past the name of its port. */
export const StepEdge = memo(function StepEdge({
  id,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  selected,
  markerEnd,
  data,
}: EdgeProps<StepEdgeType>) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const lane = data?.lane ?? null;
  const name = data?.name;
  // Its ends move with every movement of a dragged step; its name does not.
  const label = useMemo(() => t('builder.insert', { name }), [t, name]);
  const [path, x, y] =
    lane === null
      ? stepped({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition })
      : laned({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, lane);
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={20} {...(markerEnd ? { markerEnd } : {})} />
      {data && !data.isReadOnly && (
        <OnLabels>
          <button
            type="button"
            tabIndex={-1}
            className={`nodrag nopan ${classes.plus} ${classes.edgePlus}`}
            data-chosen={selected || undefined}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            aria-label={label}
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              builder.pick({ for: 'step', place: { kind: 'on', edgeId: id }, at: { x: box.right, y: box.top } });
            }}
          >
            <IconPlus size={14} stroke={2.4} aria-hidden />
          </button>
        </OnLabels>
      )}
    </>
  );
});

/**
 * Puts something on the layer of labels. The library's own way looks for the layer once more for each connection whenever anything
 * on the canvas moves.
 */
function OnLabels({ children }: { children: ReactNode }) {
  const canvas = useStore((state) => state.domNode);
  const layer = useMemo(() => canvas?.querySelector('.react-flow__edgelabel-renderer'), [canvas]);
  return layer && createPortal(children, layer);
}

function stepped(ends: Parameters<typeof getSmoothStepPath>[0]) {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const [path, x, y] = getSmoothStepPath({ ...ends, borderRadius: 10 });
  const isStraight = targetX > sourceX && Math.abs(targetY - sourceY) < straight;
  return isStraight ? ([path, sourceX + beforePlus * (targetX - sourceX), targetY] as const) : ([path, x, y] as const);
}

function laned(from: { x: number; y: number }, to: { x: number; y: number }, lane: number) {
  const { path, middle } = lanePath(from, to, lane);
  return [path, middle.x, middle.y] as const;
}
