import { CloseButton, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { useBuilder } from './builder-store.ts';

interface Props {
  title: string;
  icon?: ReactNode;
  /** The name of the field that is to have the focus, as a `data-field` inside. */
  field?: string | null;
  children: ReactNode;
}

const focusable = 'input:not([type=hidden]), textarea, button, [tabindex="0"]';

/** The field of a dotted path; where it has none of its own, that of what it lies in. */
function placeOf(panel: HTMLElement | null, field: string): Element | null {
  const parts = field.split('.');
  for (let count = parts.length; count > 0; count -= 1) {
    const name = CSS.escape(parts.slice(0, count).join('.'));
    const place = panel?.querySelector(`[data-field="${name}"], [data-field="settings\\.${name}"]`);
    if (place) return place;
  }
  return panel;
}

/** What stands beside the canvas: it takes room from it, and lies over it where there is too little. Escape closes it. */
export function SidePanel({ title, icon, field = null, children }: Props) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    const [step] = builder.store.getState().chosen;
    builder.open(null);
    if (step !== undefined) builder.seek(step);
  };
  useEffect(() => {
    if (field === null) return;
    const focus = () => placeOf(panel.current, field)?.querySelector<HTMLElement>(focusable)?.focus();
    focus();
    // Editors that are loaded when they are first shown come a little later, unless somebody has gone on by then.
    const focused = document.activeElement;
    const later = setTimeout(() => document.activeElement === focused && focus(), 300);
    return () => clearTimeout(later);
  }, [field]);
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={title}
      onKeyDown={(event) => {
        // A list that hangs open from a field closes first, alone.
        const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
        if (event.key !== 'Escape' || event.defaultPrevented || isListOpen) return;
        event.preventDefault();
        close();
      }}
    >
      <header>
        {icon}
        <Text component="h2" fw={600} className={classes.panelTitle}>
          {title}
        </Text>
        <CloseButton aria-label={t('common.close')} onClick={close} />
      </header>
      {children}
    </aside>
  );
}
