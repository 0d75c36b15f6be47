import { useReactFlow } from '@xyflow/react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './builder.module.css';
import { useBuilder, useBuilt } from './builder-store.ts';
import { useOrder } from './canvas-graph.ts';
import { portsOf } from './step-kinds.ts';
import { grid, type Place } from './step-places.ts';
import { edgeFrom } from './workflow-edit.ts';

/** A picker that closes gives the focus back to where it was opened; that comes first. */
const pickerClosesMilliseconds = 60;

const stepOfElement = (element: EventTarget | null): string | null =>
  element instanceof Element ? (element.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? null) : null;

/** Gives a step on the canvas the focus; it may have to be brought into sight first. */
export function focusStep(stepId: string, tries = 20): void {
  const node = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(stepId)}"]`);
  if (node) node.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusStep(stepId, tries - 1));
}

const arrows: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -grid, y: 0 },
  ArrowRight: { x: grid, y: 0 },
  ArrowUp: { x: 0, y: -grid },
  ArrowDown: { x: 0, y: grid },
};

/**
 * Everything that the canvas does by keys. Those of a single step count while it has the focus. Long because it is the
 * table of all keys, with the moves that they share.
 */
export function CanvasKeys({ children }: { children: ReactNode }) {
  const order = useOrder();
  const { t } = useTranslation();
  const builder = useBuilder();
  const flow = useReactFlow();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const [focused, setFocused] = useState<string | null>(null);
  const draft = () => builder.store.getState().history.present.draft;

  const nudge = (by: Place) => {
    const { chosen } = builder.store.getState();
    const moving = focused !== null && !chosen.includes(focused) ? [focused] : chosen;
    const places = draft()
      .steps.filter(({ id }) => moving.includes(id))
      .map(({ id, position }) => [id, { x: position.x + by.x, y: position.y + by.y }] as const);
    builder.move(new Map(places), `nudge ${moving.join(' ')}`);
  };
  const goTo = (stepId: string | undefined) => {
    if (stepId === undefined) return;
    builder.choose([stepId]);
    builder.seek(stepId);
    focusStep(stepId);
  };
  /** Along a connection: to the right by the first port that leads on, to the left to whatever leads here first. */
  const follow = (direction: 'on' | 'back') => {
    const { steps, edges } = draft();
    const step = steps.find(({ id }) => id === focused);
    if (!step) return;
    const on = portsOf(step).map((outcome) => edgeFrom({ edges }, { from: step.id, outcome })?.to);
    goTo(direction === 'on' ? on.find((id) => id !== undefined) : edges.find(({ to }) => to === step.id)?.from);
  };
  /** Among the steps that the same step leads to, else among all as they flow. */
  const beside = (by: 1 | -1) => {
    const { edges } = draft();
    const parent = edges.find(({ to }) => to === focused)?.from;
    const siblings = order.filter(({ id }) => edges.some(({ from, to }) => from === parent && to === id));
    const list = siblings.length > 1 ? siblings : order;
    goTo(list[list.findIndex(({ id }) => id === focused) + by]?.id);
  };

  useShortcuts('keys.builder', [
    ...(focused === null
      ? []
      : [
          {
            keys: 'Enter',
            label: 'builder.key.open',
            run: () => {
              builder.choose([focused]);
              builder.open('step', 'name');
            },
          },
          { keys: 'alt+ArrowRight', label: 'builder.key.follow', run: () => follow('on') },
          { keys: 'alt+ArrowLeft', label: 'builder.key.followBack', run: () => follow('back') },
          { keys: 'alt+ArrowDown', label: 'builder.key.next', run: () => beside(1) },
          { keys: 'alt+ArrowUp', label: 'builder.key.previous', run: () => beside(-1) },
        ]),
    ...(focused === null || isReadOnly
      ? []
      : [
          ...Object.entries(arrows).map(([keys, by]) => ({
            keys,
            label: 'builder.key.move',
            run: () => nudge(by),
          })),
          {
            keys: 'a',
            label: 'builder.key.addAfter',
            run: () => builder.pick({ for: 'step', place: { kind: 'after', from: focused }, at: placeOf(focused) }),
          },
          { keys: 'c', label: 'builder.key.connect', run: () => builder.pickTarget(focused, placeOf(focused)) },
        ]),
    { keys: '+', label: 'keys.zoomIn', run: () => void flow.zoomIn() },
    { keys: '-', label: 'keys.zoomOut', run: () => void flow.zoomOut() },
    { keys: '0', label: 'keys.fit', run: () => void flow.fitView({ padding: 0.1, maxZoom: 1 }) },
    { keys: '1', label: 'builder.key.realSize', run: () => void flow.zoomTo(1) },
    {
      keys: 'm',
      label: 'builder.key.map',
      run: () => setPreferences({ builderMap: !usePreferences.getState().builderMap }),
    },
  ]);
  // A step that came from the picker, or whose form was closed, takes the focus, so that the next key goes on from it.
  // Whoever writes in a field keeps it.
  const sought = useBuilt((state) => state.sought);
  useEffect(() => {
    if (!sought) return;
    const timer = setTimeout(() => {
      const active = document.activeElement;
      const isFree = !active || active === document.body || active.closest('.react-flow__node') !== null;
      if (isFree) focusStep(sought.stepId);
    }, pickerClosesMilliseconds);
    return () => clearTimeout(timer);
  }, [sought]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears where the focus goes among the steps inside
    <div
      className={classes.flow}
      onFocus={(event) => {
        const id = stepOfElement(event.target);
        setFocused(id);
        if (id !== null && event.target instanceof HTMLElement && event.target.matches(':focus-visible')) {
          const { chosen } = builder.store.getState();
          if (!chosen.includes(id)) builder.choose([id]);
          builder.seek(id);
        }
      }}
      onBlur={(event) => {
        if (stepOfElement(event.relatedTarget) === null) setFocused(null);
      }}
    >
      <span className="visually-hidden" id="canvas-help">
        {t('builder.canvasHelp')}
      </span>
      {children}
    </div>
  );
}

/** Where a picker that keys open for a step comes up: at the step's upper right corner. */
function placeOf(stepId: string): Place | null {
  const node = document.querySelector(`.react-flow__node[data-id="${CSS.escape(stepId)}"]`);
  const box = node?.getBoundingClientRect();
  return box ? { x: box.right + 8, y: box.top } : null;
}
