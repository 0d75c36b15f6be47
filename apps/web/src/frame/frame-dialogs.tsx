import { lazy, Suspense } from 'react';
import { create } from 'zustand';
import { useFrameShortcuts } from './frame-shortcuts.ts';

type Dialog = 'palette' | 'shortcuts' | 'customizer';

/** Dialogs of the frame. Each is a chunk of its own, loaded when it is first opened and kept. */
const useDialogs = create<{ open: Dialog | null; met: readonly Dialog[] }>(() => ({ open: null, met: [] }));

export const openDialog = (dialog: Dialog): void =>
  useDialogs.setState(({ met }) => ({ open: dialog, met: [...new Set([...met, dialog])] }));
export const closeDialog = (): void => useDialogs.setState({ open: null });

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));
const Customizer = lazy(async () => ({ default: (await import('../preferences/customizer.tsx')).Customizer }));
const dialogs = { palette: CommandPalette, shortcuts: ShortcutSheet, customizer: Customizer };

export function FrameDialogs() {
  const { open, met } = useDialogs();
  useFrameShortcuts();
  return (
    <Suspense>
      {met.map((dialog) => {
        const Dialog = dialogs[dialog];
        return <Dialog key={dialog} isOpen={open === dialog} onClose={closeDialog} />;
      })}
    </Suspense>
  );
}
