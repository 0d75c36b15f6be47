import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { useBuilder, useBuilt } from './builder-store.ts';

const isInField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The keys that count wherever one is in the builder, and the clipboard of the system. */
export function BuilderKeys({ onSave }: { onSave: () => void }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const state = () => builder.store.getState();
  const removeChosen = () => {
    const { chosen, chosenEdge } = state();
    if (chosen.length > 0) builder.remove(chosen);
    else if (chosenEdge !== null) builder.disconnect([chosenEdge]);
  };
  useShortcuts('keys.builder', [
    ...(isReadOnly
      ? []
      : [
          { keys: 'ctrl+s', label: 'common.save', isEverywhere: true, run: onSave },
          { keys: 'ctrl+z', label: 'builder.undo', run: () => builder.undo() },
          { keys: 'ctrl+shift+z', label: 'builder.redo', run: () => builder.redo() },
          { keys: 'ctrl+y', label: 'builder.redo', run: () => builder.redo() },
          {
            keys: 'ctrl+d',
            label: 'builder.duplicate',
            run: () => {
              const fragment = builder.copy(state().chosen);
              if (fragment) builder.paste(fragment);
            },
          },
          {
            keys: 'ctrl+a',
            label: 'builder.key.all',
            run: () => builder.choose(state().history.present.draft.steps.map(({ id }) => id)),
          },
          { keys: 'Delete', label: 'builder.remove', run: removeChosen },
          { keys: 'Backspace', label: 'builder.remove', run: removeChosen },
          {
            keys: 'shift+l',
            label: 'builder.tidy',
            run: () => void builder.tidy(),
          },
        ]),
    {
      keys: 'i',
      label: 'builder.key.issue',
      run: () => {
        const { issues, chosen } = state();
        const [now] = chosen;
        const at = issues.findIndex(({ stepId }) => stepId !== undefined && stepId === now);
        const next = issues.slice(at + 1).find(({ stepId }) => stepId !== now) ?? issues[0];
        if (next) builder.openIssue(next);
        else notify.info(t('builder.noIssues'));
      },
    },
    { keys: 'Escape', label: 'keys.unselect', run: () => (state().panel ? builder.open(null) : builder.choose([])) },
  ]);
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      if (isInField(event.target) || String(window.getSelection()) !== '') return;
      const fragment = builder.copy(state().chosen);
      if (!fragment) return;
      event.clipboardData?.setData('text/plain', JSON.stringify(fragment));
      event.preventDefault();
      if (event.type === 'cut') removeChosen();
    };
    const paste = (event: ClipboardEvent) => {
      if (isInField(event.target) || isReadOnly) return;
      // The clipboard can be read during the event only; the schema of what it may hold comes when it is needed.
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!text.includes('pdf2press-steps')) return;
      event.preventDefault();
      void import('./clipboard.ts').then(({ readFragment }) => {
        const fragment = readFragment(text);
        if (fragment) builder.paste(fragment);
      });
    };
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [builder, isReadOnly]);
  return null;
}
