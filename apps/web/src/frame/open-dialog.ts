import { create } from 'zustand';

export type FrameDialog = 'palette' | 'shortcuts' | 'customizer';

/** The open dialog of the frame, and those already opened once, which stay loaded. */
export const useDialogs = create<{ open: FrameDialog | null; met: readonly FrameDialog[] }>(() => ({
  open: null,
  met: [],
}));

export const openDialog = (dialog: FrameDialog): void =>
  useDialogs.setState(({ met }) => ({ open: dialog, met: [...new Set([...met, dialog])] }));
export const closeDialog = (): void => useDialogs.setState({ open: null });
