import { useEffect, useRef } from 'react';

/** Longer than the closing animation of a dialog, milliseconds. */
const goneMs = 300;

/** The element to focus later: the focused one, or the button of the menu that contains it. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role="menu"]');
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return button ?? (active instanceof HTMLElement && active !== document.body ? active : null);
}

/**
 * Returns the focus to the opener when a dialog closes, unless another element has taken it. Mantine's own focus return
 * does not work here: the dialog's chunk loads after opening, too late to remember the focused element.
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
