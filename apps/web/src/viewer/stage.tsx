import { useMergedRef } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { fitView, keepInSight, type Size, type Spot, type View, zoomAt } from './page-geometry.ts';
import { type Rotation, rotatedPlace, rotatedSize, unrotatedSpot } from './page-rotation.ts';
import classes from './viewer.module.css';

export interface Camera {
  view: View;
  stage: Size;
  /** The whole page is in sight. */
  isWhole: boolean;
  setView: (view: View) => void;
  fit: () => void;
  zoomBy: (factor: number) => void;
  ref: (element: HTMLElement | null) => void;
}

/** The size of an element in CSS pixels, before it is first painted; the library's hook tells it two frames later. */
function useSizeAtOnce(): Size & { ref: (element: HTMLElement | null) => void } {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const observer = useRef<ResizeObserver>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) return;
    const look = () => {
      const { width, height } = element.getBoundingClientRect();
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    look();
    observer.current = new ResizeObserver(look);
    observer.current.observe(element);
  }, []);
  return { ...size, ref };
}

/** The camera of a page: fits the page at first, and again when page or stage change size while fitted. */
export function useCamera(page: Size): Camera {
  const { ref, width, height } = useSizeAtOnce();
  const stage = { width, height };
  const [moved, setMoved] = useState<View | null>(null);
  const { width: pageWidth, height: pageHeight } = page;
  useEffect(() => setMoved(null), [pageWidth, pageHeight]);
  const fitted = fitView(page, stage);
  const view = moved ?? fitted;
  const setView = (next: View) => setMoved(keepInSight(next, page, stage));
  return {
    view,
    stage,
    isWhole: view.scale <= fitted.scale * 1.01,
    setView,
    fit: () => setMoved(null),
    zoomBy: (factor) => setView(zoomAt(view, factor, { x: width / 2, y: height / 2 })),
    ref,
  };
}

/** The end of a line that goes straight across or straight down. */
const straight = (from: Spot, to: Spot, page: Size): Spot =>
  Math.abs(to.x - from.x) * page.width > Math.abs(to.y - from.y) * page.height
    ? { x: to.x, y: from.y }
    : { x: from.x, y: to.y };

interface Props {
  /** Of the page as it is turned. */
  camera: Camera;
  page: Size;
  rotation?: Rotation;
  /** What lies on it are pages of their own, each with its paper. */
  isTable?: boolean;
  label: string;
  /** Pointer position on the page; null outside of it. */
  onPoint?: (spot: Spot | null) => void;
  /** A finger went sideways over a page that is wholly in sight: 1 to the next page, -1 to the one before. */
  onSwipe?: (by: 1 | -1) => void;
  /** Dragging draws a line instead of moving the page: called with both ends, where they may lie beside the page. */
  onLine?: (from: Spot, to: Spot) => void;
  /** The line that was drawn is finished; both ends are one where the pointer did not move. */
  onLineEnd?: (from: Spot, to: Spot) => void;
  children: ReactNode;
}

const dragThreshold = 3;
/** A shorter way of a finger is no swipe, CSS pixels. */
const swipeThreshold = 48;

/** The wheel moves the page; with Ctrl, as a pinch is told, it zooms at the pointer. */
function useWheel(element: RefObject<HTMLElement | null>, camera: Pick<Camera, 'view' | 'setView'>): void {
  const latest = useRef(camera);
  latest.current = camera;
  // React registers wheel listeners as passive, which cannot prevent scrolling.
  useEffect(() => {
    const stageElement = element.current;
    if (!stageElement) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { view, setView } = latest.current;
      const box = stageElement.getBoundingClientRect();
      const pixels = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        const factor = Math.exp((-event.deltaY * pixels) / 300);
        setView(zoomAt(view, factor, { x: event.clientX - box.left, y: event.clientY - box.top }));
      } else {
        const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
        setView({ ...view, x: view.x - dx * pixels, y: view.y - dy * pixels });
      }
    };
    stageElement.addEventListener('wheel', onWheel, { passive: false });
    return () => stageElement.removeEventListener('wheel', onWheel);
  }, []);
}

/** Drag to move, wheel to scroll, Ctrl wheel or pinch to zoom at the pointer, double click to zoom in. */
export function Stage({
  camera,
  page,
  rotation = 0,
  isTable,
  label,
  onPoint,
  onSwipe,
  onLine,
  onLineEnd,
  children,
}: Props) {
  const { view, stage, isWhole, setView, ref } = camera;
  const element = useRef<HTMLDivElement>(null);
  const merged = useMergedRef(ref, element);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const [isDragging, setDragging] = useState(false);
  const lineStart = useRef<Spot | null>(null);
  const swipe = useRef<{ id: number; x: number; y: number } | null>(null);

  const at = (event: { clientX: number; clientY: number }) => {
    const box = element.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  useWheel(element, { view, setView });

  const shown = rotatedSize(page, rotation);
  const spotAt = (here: { x: number; y: number }): Spot =>
    unrotatedSpot(
      { x: (here.x - view.x) / view.scale / shown.width, y: (here.y - view.y) / view.scale / shown.height },
      rotation,
    );
  const onPointerMove = (event: PointerEvent) => {
    const here = at(event);
    const spot = spotAt(here);
    onPoint?.(spot.x >= 0 && spot.x <= 1 && spot.y >= 0 && spot.y <= 1 ? spot : null);
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    if (onLine && lineStart.current && pointers.current.size === 1) {
      onLine(lineStart.current, event.shiftKey ? straight(lineStart.current, spot, page) : spot);
      return;
    }
    if (swipe.current?.id === event.pointerId) return;
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
    const start = swipe.current?.id === event.pointerId ? swipe.current : null;
    if (start) swipe.current = null;
    const [across, along] = start ? [event.clientX - start.x, event.clientY - start.y] : [0, 0];
    if (Math.abs(across) > Math.max(swipeThreshold, Math.abs(along) * 1.5)) onSwipe?.(across < 0 ? 1 : -1);
    pointers.current.delete(event.pointerId);
    if (lineStart.current && event.type === 'pointerup') onLineEnd?.(lineStart.current, spotAt(at(event)));
    lineStart.current = null;
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
      data-drawing={onLine !== undefined || undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        element.current?.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, at(event));
        // One finger turns the page while nothing is out of sight; a second one zooms.
        lineStart.current = onLine && pointers.current.size === 1 ? spotAt(at(event)) : null;
        const isSwipe = onSwipe && !onLine && event.pointerType === 'touch' && isWhole && pointers.current.size === 1;
        swipe.current = isSwipe ? { id: event.pointerId, x: event.clientX, y: event.clientY } : null;
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
          data-table={isTable || undefined}
          data-rotation={rotation || undefined}
          style={rotatedPlace(page, view, rotation)}
        >
          {children}
        </div>
      )}
    </div>
  );
}
