import { lazy, Suspense } from 'react';
import { useFocusBack } from './focus-back.ts';
import { useFrameShortcuts } from './frame-shortcuts.ts';
import { closeDialog, useDialogs } from './open-dialog.ts';

/** Dialogs of the frame. Each is a chunk of its own, loaded when it is first opened and kept. */
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));
const Customizer = lazy(async () => ({ default: (await import('../preferences/customizer.tsx')).Customizer }));
const dialogs = { palette: CommandPalette, shortcuts: ShortcutSheet, customizer: Customizer };

export function FrameDialogs() {
  const { open, met } = useDialogs();
  useFrameShortcuts();
  useFocusBack(open !== null);
  return (
    <Suspense>
      {met.map((dialog) => {
        const Dialog = dialogs[dialog];
        return <Dialog key={dialog} isOpen={open === dialog} onClose={closeDialog} />;
      })}
    </Suspense>
  );
}
