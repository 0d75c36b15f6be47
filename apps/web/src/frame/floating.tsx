import { type MantineTransition, Menu, Popover, Tooltip } from '@mantine/core';
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import { horizontalPopoverOffset, horizontalTransition } from '../constants.ts';
import type { MenuEntry } from './menu-entry.ts';
import { notify } from './toasts.tsx';

/**
 * Lets Mantine anchor to an existing element where it expects a child. The element's own button carries the ARIA
 * attributes of the opener.
 */
function Anchor({ element, ref, id }: { element: HTMLElement; ref?: Ref<HTMLElement>; id?: string }) {
  useLayoutEffect(() => {
    if (id) element.id = id;
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  }, [element, ref, id]);
  return null;
}

/** Opens after mounting, so that Mantine sees the change and remembers the focused element. */
function useOpened(isOpen: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isOpen && isMounted;
}

interface Shared {
  anchor: HTMLElement;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  width?: number | undefined;
}

/** Mantine transitions by the names of `constants.ts`. */
const transitions: Record<typeof horizontalTransition, MantineTransition> = {
  'slide-y-reverse': {
    in: { opacity: 1, transform: 'translateY(0)' },
    out: { opacity: 0, transform: 'translateY(15px)' },
    transitionProperty: 'transform, opacity',
  },
};
const ofBar = {
  position: 'bottom-start',
  offset: horizontalPopoverOffset,
  transitionProps: { transition: transitions[horizontalTransition], duration: 120 },
} as const;

interface MenuProps extends Shared {
  entries: readonly MenuEntry[];
  isOfBar?: boolean | undefined;
}

export function FloatingMenu({ anchor, isOpen, onChange, width, entries, isOfBar = false }: MenuProps) {
  return (
    <Menu opened={useOpened(isOpen)} onChange={onChange} {...(width ? { width } : {})} {...(isOfBar ? ofBar : {})}>
      <Menu.Target>
        <Anchor element={anchor} />
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry, at) => (
          // The index is a stable key: entries do not change their order while the menu is open.
          <Entry key={at} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'line') return <Menu.Divider />;
  if ('heading' in entry) return <Menu.Label>{entry.heading}</Menu.Label>;
  if ('choices' in entry) {
    return (
      <Menu.RadioGroup value={entry.chosen} onChange={entry.choose}>
        {entry.choices.map(({ value, label, icon: Icon, lang }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            lang={lang}
            rightSection={Icon && <Icon size={16} />}
            closeMenuOnClick
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    );
  }
  if ('isTicked' in entry) {
    return (
      <Menu.CheckboxItem checked={entry.isTicked} onChange={entry.tick} rightSection={entry.end}>
        {entry.label}
      </Menu.CheckboxItem>
    );
  }
  const { label, icon: Icon, to, isLit, act, isDangerous, refusal, end } = entry;
  const shared = {
    leftSection: <Icon size={16} />,
    rightSection: end,
    ...(isDangerous ? { color: 'error' } : {}),
  };
  return to ? (
    <Menu.Item {...shared} component={Link} to={to} {...(isLit ? { 'aria-current': 'page' } : {})}>
      {label}
    </Menu.Item>
  ) : (
    // A refused entry stays focusable and states the reason.
    <Menu.Item
      {...shared}
      {...(refusal ? { 'aria-disabled': true, title: refusal, style: { opacity: 0.5 } } : {})}
      closeMenuOnClick={!refusal}
      onClick={() => (refusal ? notify.info(refusal) : act?.())}
    >
      {label}
    </Menu.Item>
  );
}

export function FloatingPopover({
  anchor,
  isOpen,
  onChange,
  width,
  label,
  children,
}: Shared & { label: string; children: ReactNode }) {
  return (
    <Popover
      position="bottom-start"
      trapFocus
      returnFocus
      opened={useOpened(isOpen)}
      onChange={onChange}
      {...(width ? { width } : {})}
    >
      <Popover.Target>
        <Anchor element={anchor} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
    </Popover>
  );
}

export function FloatingHint({
  anchor,
  isOpen,
  label,
  position,
}: {
  anchor: HTMLElement;
  isOpen: boolean;
  label: ReactNode;
  position?: 'right' | 'top' | 'bottom' | undefined;
}) {
  return <Tooltip target={anchor} label={label} opened={isOpen} {...(position ? { position } : {})} />;
}
