import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  Controls,
  type Edge,
  type EdgeMarkerType,
  MarkerType,
  MiniMap,
  type Node,
  ReactFlow,
  type ReactFlowProps,
} from '@xyflow/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './flow-canvas.module.css';
import { grid } from './step-places.ts';

/** Step names cannot be read below this zoom. */
export const legibleZoom = 0.75;

export const arrowHead = (color: string): EdgeMarkerType => ({
  type: MarkerType.ArrowClosed,
  markerUnits: 'userSpaceOnUse',
  width: 18,
  height: 18,
  color,
});

interface Props<N extends Node, E extends Edge> extends ReactFlowProps<N, E> {
  hasMap: boolean;
  /** The zoom buttons were used. */
  onZoom?: () => void;
}

/** What the canvas to draw on and the canvas to look at have in common: background, zoom buttons, overview, labels. */
export function FlowCanvas<N extends Node, E extends Edge>({ hasMap, onZoom, children, ...props }: Props<N, E>) {
  const { t } = useTranslation();
  const zoomed = onZoom ? { onZoomIn: onZoom, onZoomOut: onZoom } : {};
  // The library tells everything on the canvas of each property that is another object than before.
  const labels = useMemo(
    () => ({
      'controls.ariaLabel': t('workflows.controls'),
      'controls.zoomIn.ariaLabel': t('keys.zoomIn'),
      'controls.zoomOut.ariaLabel': t('keys.zoomOut'),
      'controls.fitView.ariaLabel': t('keys.fit'),
      'minimap.ariaLabel': t('workflows.miniMap'),
      'node.a11yDescription.default': '',
    }),
    [t],
  );
  return (
    <ReactFlow<N, E>
      {...props}
      className={classes.flow}
      minZoom={0.2}
      maxZoom={2}
      edgesFocusable={false}
      aria-label={t('workflows.canvas')}
      ariaLabelConfig={labels}
    >
      <Background variant={BackgroundVariant.Dots} gap={grid} size={1.2} color="var(--p2p-hairline)" />
      <Controls showInteractive={false} {...zoomed} />
      {hasMap && (
        <MiniMap
          pannable
          zoomable
          nodeColor="var(--p2p-border)"
          maskColor="color-mix(in srgb, var(--p2p-text) 10%, transparent)"
          bgColor="var(--p2p-canvas)"
        />
      )}
      {children}
    </ReactFlow>
  );
}
