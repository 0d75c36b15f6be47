import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { fitView, keepInSight, type Size, type Spot, type View, zoomAt } from './page-geometry.ts';
import classes from './viewer.module.css';

export interface Camera {
  view: View;
  stage: Size;
  setView: (view: View) => void;
  fit: () => void;
  zoomBy: (factor: number) => void;
  ref: (element: HTMLElement | null) => void;
}

/** The camera of a page: fits the page at first, and again when page or stage change size while fitted. */
export function useCamera(page: Size): Camera {
  const { ref, width, height } = useElementSize();
  const stage = { width, height };
  const [moved, setMoved] = useState<View | null>(null);
  const { width: pageWidth, height: pageHeight } = page;
  useEffect(() => setMoved(null), [pageWidth, pageHeight]);
  const view = moved ?? fitView(page, stage);
  const setView = (next: View) => setMoved(keepInSight(next, page, stage));
  return {
    view,
    stage,
    setView,
    fit: () => setMoved(null),
    zoomBy: (factor) => setView(zoomAt(view, factor, { x: width / 2, y: height / 2 })),
    ref,
  };
}

interface Props {
  camera: Camera;
  page: Size;
  label: string;
  /** Pointer position on the page; null outside of it. */
  onPoint?: (spot: Spot | null) => void;
  children: ReactNode;
}

const dragThreshold = 3;

/** Drag to move, wheel to scroll, Ctrl wheel or pinch to zoom at the pointer, double click to zoom in. */
export function Stage({ camera, page, label, onPoint, children }: Props) {
  const { view, stage, setView, ref } = camera;
  const element = useRef<HTMLDivElement>(null);
  const merged = useMergedRef(ref, element);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const [isDragging, setDragging] = useState(false);
  const latest = useRef({ view, setView });
  latest.current = { view, setView };

  const at = (event: { clientX: number; clientY: number }) => {
    const box = element.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  // React registers wheel listeners as passive, which cannot prevent scrolling.
  useEffect(() => {
    const stageElement = element.current;
    if (!stageElement) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { view: now, setView: set } = latest.current;
      const box = stageElement.getBoundingClientRect();
      const pixels = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        set(
          zoomAt(now, Math.exp((-event.deltaY * pixels) / 300), {
            x: event.clientX - box.left,
            y: event.clientY - box.top,
          }),
        );
      } else {
        const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
        set({ ...now, x: now.x - dx * pixels, y: now.y - dy * pixels });
      }
    };
    stageElement.addEventListener('wheel', onWheel, { passive: false });
    return () => stageElement.removeEventListener('wheel', onWheel);
  }, []);

  const onPointerMove = (event: PointerEvent) => {
    const here = at(event);
    const spot = { x: (here.x - view.x) / view.scale / page.width, y: (here.y - view.y) / view.scale / page.height };
    onPoint?.(spot.x >= 0 && spot.x <= 1 && spot.y >= 0 && spot.y <= 1 ? spot : null);
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (other) {
      const distance = (a: { x: number; y: number }) => Math.hypot(a.x - other.x, a.y - other.y);
      const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 };
      setView(zoomAt(view, distance(here) / Math.max(1, distance(before)), middle));
    } else {
      if (!isDragging && Math.hypot(here.x - before.x, here.y - before.y) < dragThreshold) return;
      setDragging(true);
      setView({ ...view, x: view.x + here.x - before.x, y: view.y + here.y - before.y });
    }
    pointers.current.set(event.pointerId, here);
  };
  const onPointerEnd = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    if (pointers.current.size === 0) setDragging(false);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this is a picture with parts
    <div
      ref={merged}
      className={classes.stage}
      role="group"
      aria-label={label}
      data-dragging={isDragging || undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        element.current?.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, at(event));
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onPointerLeave={() => onPoint?.(null)}
      onDoubleClick={(event) => setView(zoomAt(view, 2, at(event)))}
    >
      {stage.width > 0 && (
        <div
          className={classes.page}
          style={{
            inlineSize: page.width * view.scale,
            blockSize: page.height * view.scale,
            transform: `translate(${view.x}px, ${view.y}px)`,
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}
