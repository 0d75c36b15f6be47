import { type ComponentType, type ReactNode, type Ref, Suspense, useRef, useState } from 'react';
import { floating, whenFloating } from './late.tsx';

const FloatingMenu = floating('FloatingMenu');
const FloatingPopover = floating('FloatingPopover');

/** What a menu offers. */
export type MenuEntry =
  | 'line'
  | { heading: ReactNode }
  | {
      choices: readonly { value: string; label: string; icon?: ComponentType<{ size?: number }>; lang?: string }[];
      chosen: string;
      choose: (value: string) => void;
    }
  | { label: string; isTicked: boolean; tick: (isTicked: boolean) => void }
  | MenuAct;

export interface MenuAct {
  label: string;
  icon: ComponentType<{ size?: number }>;
  to?: string;
  /** The page that is open. */
  isLit?: boolean;
  act?: () => void;
  isDangerous?: boolean;
  /** Why it cannot be done now. */
  refusal?: string | null;
  end?: ReactNode;
}

/** What a button needs to open something. */
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
  /** Asked when it is opened. */
  entries: () => readonly (MenuEntry | false)[];
  width?: number;
  /** Opens out of the bar of the navigation, near to it and from below (specification §1). */
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

/** A button with a small dialog at it. */
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
