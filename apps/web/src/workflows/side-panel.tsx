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
    const place = panel.current?.querySelector(`[data-field="${CSS.escape(field)}"]`) ?? panel.current;
    place?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus();
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
