import { create } from 'zustand';

export type FrameDialog = 'palette' | 'shortcuts' | 'customizer';

/** Which dialog of the frame is open, and which were met: those are loaded and kept. */
export const useDialogs = create<{ open: FrameDialog | null; met: readonly FrameDialog[] }>(() => ({
  open: null,
  met: [],
}));

export const openDialog = (dialog: FrameDialog): void =>
  useDialogs.setState(({ met }) => ({ open: dialog, met: [...new Set([...met, dialog])] }));
export const closeDialog = (): void => useDialogs.setState({ open: null });
