import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import classes from './panels.module.css';

type Panel = 'steps' | 'details';

/** Widths that a panel can have, CSS pixels. */
const limits = {
  steps: { min: 180, max: 420 },
  details: { min: 280, max: 720 },
} as const;
/** One press of an arrow key, CSS pixels. */
const keyStep = 16;

const widthWithin = (panel: Panel, width: number): number =>
  Math.round(Math.min(limits[panel].max, Math.max(limits[panel].min, width)));

const setWidth = (panel: Panel, width: number): void =>
  setPreferences({
    panelWidths: {
      ...usePreferences.getState().panelWidths,
      [panel]: widthWithin(panel, width),
    },
  });

/** Closes an open panel and opens a closed one; kept on this device. */
export const togglePanel = (panel: Panel): void => {
  const { closedPanels } = usePreferences.getState();
  setPreferences({
    closedPanels: closedPanels.includes(panel)
      ? closedPanels.filter((other) => other !== panel)
      : [...closedPanels, panel],
  });
};

/** The width of each panel that is open. */
export function usePanels() {
  const closed = usePreferences((preferences) => preferences.closedPanels);
  const widths = usePreferences((preferences) => preferences.panelWidths);
  const of = (panel: Panel) => (closed.includes(panel) ? null : widthWithin(panel, widths[panel]));
  return { steps: of('steps'), details: of('details') };
}

interface Props {
  panel: Panel;
  /** What the panel is called. */
  name: string;
  /** Null: it is closed. */
  width: number | null;
  /** The panel is before or after the handle. */
  side: 'start' | 'end';
}

/** Between a panel and the page: resizes the panel by dragging or by arrow keys, closes and opens it. */
export function PanelHandle({ panel, name, width, side }: Props) {
  const { t } = useTranslation();
  const start = useRef<{ x: number; width: number } | null>(null);
  const sign = side === 'start' ? 1 : -1;
  const onMove = (event: PointerEvent) => {
    if (start.current) setWidth(panel, start.current.width + sign * (event.clientX - start.current.x));
  };
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
    if (by === undefined || width === null) return;
    // The arrow keys turn pages elsewhere.
    event.preventDefault();
    setWidth(panel, width + sign * by);
  };
  const isOpen = width !== null;
  const Icon = isOpen === (side === 'start') ? IconChevronLeft : IconChevronRight;
  return (
    <div className={classes.handle} data-open={isOpen || undefined}>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a rule does not move; this separator is operated
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label={t('session.panelWidth', { panel: name })}
          aria-valuenow={width}
          aria-valuemin={limits[panel].min}
          aria-valuemax={limits[panel].max}
          tabIndex={0}
          className={classes.grip}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            start.current = { x: event.clientX, width };
          }}
          onPointerMove={onMove}
          onPointerUp={() => {
            start.current = null;
          }}
          onDoubleClick={() => togglePanel(panel)}
          onKeyDown={onKey}
        />
      )}
      <ActionIcon
        className={classes.fold}
        size={20}
        radius="xl"
        variant="default"
        aria-expanded={isOpen}
        aria-label={t(isOpen ? 'session.closePanel' : 'session.openPanel', {
          panel: name,
        })}
        title={t(isOpen ? 'session.closePanel' : 'session.openPanel', {
          panel: name,
        })}
        onClick={() => togglePanel(panel)}
      >
        <Icon size={14} />
      </ActionIcon>
    </div>
  );
}
