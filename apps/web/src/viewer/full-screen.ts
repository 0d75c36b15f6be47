import { createContext, useContext, useEffect, useState } from 'react';

interface FullScreen {
  isOn: boolean;
  toggle: () => void;
}

/** Given by the part of a page that can fill the screen; null where none can. */
export const FullScreenContext = createContext<FullScreen | null>(null);
export const useFullScreen = (): FullScreen | null => useContext(FullScreenContext);

/**
 * Whether a part of the page fills the window, and with it the screen. The whole document is what the browser enlarges, so
 * that menus and dialogs, which stand outside of that part, are seen. Where the browser refuses (inside the frame of
 * another site), the part fills the window.
 */
export function useFillingScreen(): FullScreen {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    document.documentElement.requestFullscreen?.().catch(() => undefined);
    const leave = () => document.fullscreenElement === null && setOn(false);
    document.addEventListener('fullscreenchange', leave);
    return () => {
      document.removeEventListener('fullscreenchange', leave);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, [isOn]);
  return { isOn, toggle: () => setOn((before) => !before) };
}
