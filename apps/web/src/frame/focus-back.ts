import { useEffect, useRef } from 'react';

/** Longer than a dialog takes to go. */
const goneMs = 300;

/** What is to have the focus again: what has it now, or where that is an entry of a menu, the menu's button. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role="menu"]');
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return button ?? (active instanceof HTMLElement && active !== document.body ? active : null);
}

/**
 * What opened a dialog gets the focus back when that has gone, unless something else took it; what is gone with it leaves
 * it to the page. A dialog cannot do it by itself: loaded on first opening, it is there too late to have seen what had the
 * focus.
 */
export function useFocusBack(isOpen: boolean): void {
  const opener = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    const hasClosed = wasOpen.current && !isOpen;
    wasOpen.current = isOpen;
    if (isOpen) opener.current = openerNow();
    if (!hasClosed) return;
    const timer = setTimeout(() => {
      const focused = document.activeElement;
      if (focused && focused !== document.body && !focused.closest('[role$="dialog"]')) return;
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main');
      back?.focus({ preventScroll: true });
    }, goneMs);
    return () => clearTimeout(timer);
  }, [isOpen]);
}
