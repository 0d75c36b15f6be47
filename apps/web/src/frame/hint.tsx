import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { floating, whenFloating } from './late.tsx';

const FloatingHint = floating('FloatingHint');

/** Delay before a hint appears, milliseconds. */
const restMilliseconds = 350;

interface Props {
  label: ReactNode;
  position?: 'right' | 'top' | 'bottom';
  isOff?: boolean;
  /** One element. */
  children: ReactNode;
}

/** The tooltip of a control without text, on hover and on keyboard focus; Escape hides it (WCAG 2.2, 1.4.13). */
export function Hint({ label, position, isOff = false, children }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isWanted) return setOpen(false);
    const timer = setTimeout(() => whenFloating(() => setOpen(true)), restMilliseconds);
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && setWanted(false);
    document.addEventListener('keydown', leave);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', leave);
    };
  }, [isWanted]);
  const want = (element: Element | null) => {
    setAnchor(element as HTMLElement | null);
    setWanted(true);
  };
  const leave = () => setWanted(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for its only child, which is the control
    <span
      style={{ display: 'contents' }}
      onPointerEnter={(event) => event.pointerType !== 'touch' && want(event.currentTarget.firstElementChild)}
      onPointerLeave={leave}
      onPointerDown={leave}
      onFocus={(event) => event.target.matches(':focus-visible') && want(event.currentTarget.firstElementChild)}
      onBlur={leave}
    >
      {children}
      {anchor && !isOff && (
        <Suspense>
          <FloatingHint anchor={anchor} isOpen={isOpen} label={label} position={position} />
        </Suspense>
      )}
    </span>
  );
}
