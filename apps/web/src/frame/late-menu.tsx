import { type ReactNode, type Ref, Suspense, useRef, useState } from 'react';
import { floating, whenFloating } from './late.tsx';
import type { MenuEntry } from './menu-entry.ts';

const FloatingMenu = floating('FloatingMenu');
const FloatingPopover = floating('FloatingPopover');

/** Props for the button that opens a menu or popover. */
export interface OpenerProps {
  ref: Ref<HTMLButtonElement>;
  onClick: () => void;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
}

function useLate(kind: OpenerProps['aria-haspopup']) {
  const ref = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const onClick = () => {
    if (isOpen) return setOpen(false);
    whenFloating(() => {
      setAnchor(ref.current);
      setOpen(true);
    });
  };
  const opener: OpenerProps = { ref, onClick, 'aria-haspopup': kind, 'aria-expanded': isOpen };
  return { opener, anchor, isOpen, setOpen };
}

interface MenuProps {
  button: (opener: OpenerProps) => ReactNode;
  /** Called when the menu opens. */
  entries: () => readonly (MenuEntry | false)[];
  width?: number;
  /** Part of the horizontal navigation: opens close to it and slides in from below. */
  isOfBar?: boolean;
}

/** A button with a menu. */
export function LateMenu({ button, entries, width, isOfBar }: MenuProps) {
  const { opener, anchor, isOpen, setOpen } = useLate('menu');
  return (
    <>
      {button(opener)}
      {anchor && (
        <Suspense>
          <FloatingMenu
            anchor={anchor}
            isOpen={isOpen}
            onChange={setOpen}
            width={width}
            isOfBar={isOfBar}
            entries={entries().filter((entry) => entry !== false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface PopoverProps {
  button: (opener: OpenerProps) => ReactNode;
  label: string;
  width?: number;
  children: ReactNode;
}

/** A button with a popover. */
export function LatePopover({ button, children, ...rest }: PopoverProps) {
  const { opener, anchor, isOpen, setOpen } = useLate('dialog');
  return (
    <>
      {button(opener)}
      {anchor && (
        <Suspense>
          <FloatingPopover anchor={anchor} isOpen={isOpen} onChange={setOpen} {...rest}>
            {children}
          </FloatingPopover>
        </Suspense>
      )}
    </>
  );
}
