import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { usePreferences } from '../preferences/preferences.ts';

/** A key or a sequence of keys, as `g s`, `ctrl+k`, `?`, `ArrowLeft`; its description is a message key. */
export interface Shortcut {
  keys: string;
  /** Message key for the sheet. */
  label: string;
  run: () => void;
  /** Works while typing and with a dialog open. */
  isEverywhere?: boolean;
}

/** Headings of the shortcut list (message keys), in their order. */
const parts = ['keys.builder', 'keys.form', 'keys.session', 'keys.list', 'keys.viewer', 'keys.everywhere'] as const;
type Part = (typeof parts)[number];

/** Shortcuts that are registered together, under one heading. */
export interface ShortcutSet {
  title: Part;
  shortcuts: readonly Shortcut[];
}

export const useShortcutSets = create<{ sets: readonly ShortcutSet[] }>(() => ({ sets: [] }));

/** Merges the sets with the same heading, in the order of the headings. */
export const inParts = (sets: readonly ShortcutSet[]): readonly ShortcutSet[] =>
  parts
    .map((title) => ({
      title,
      shortcuts: sets.filter((set) => set.title === title).flatMap(({ shortcuts }) => shortcuts),
    }))
    .filter(({ shortcuts }) => shortcuts.length > 0);

/** Registers shortcuts while the component is mounted. `title` is the message key of their heading. */
export function useShortcuts(title: Part, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map((shortcut) => shortcut.keys).join('\n');
  useEffect(() => {
    const set: ShortcutSet = {
      title,
      shortcuts: latest.current.map((shortcut) => ({
        ...shortcut,
        run: () => latest.current.find((now) => now.keys === shortcut.keys)?.run(),
      })),
    };
    useShortcutSets.setState(({ sets }) => ({ sets: [...sets, set] }));
    return () => useShortcutSets.setState(({ sets }) => ({ sets: sets.filter((other) => other !== set) }));
  }, [title, names]);
}

/** The name of the key that was pressed, with its modifiers: `ctrl+k`, `shift+x`, `?`, `ArrowLeft`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const isLetter = /^[a-z]$/i.test(event.key);
  return [
    event.ctrlKey || event.metaKey ? 'ctrl+' : '',
    event.altKey ? 'alt+' : '',
    event.shiftKey && isLetter ? 'shift+' : '',
    isLetter ? event.key.toLowerCase() : event.key,
  ].join('');
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !isTickBox(target);
const isTickBox = (target: HTMLElement) =>
  target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type);
// Closed drop-downs and dialog frames stay in the DOM without a box: only elements with a box count as open.
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"],[role="menu"],[role="listbox"]')].some(
    (element) => element.getClientRects().length > 0,
  );

const sequenceMilliseconds = 1000;
let before = { name: '', at: 0 };

/** Handles all key presses; the set registered last wins. */
export function hearKeys(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = keyName(event);
  const sequence = event.timeStamp - before.at < sequenceMilliseconds ? `${before.name} ${name}` : '';
  before = { name, at: event.timeStamp };
  const all = [...useShortcutSets.getState().sets].reverse().flatMap((set) => set.shortcuts);
  const hit =
    all.find((shortcut) => sequence && shortcut.keys === sequence) ?? all.find((shortcut) => shortcut.keys === name);
  if (!hit) return;
  const isPlain = name.length === 1;
  // Checked last because it forces a layout.
  const isQuiet = () => isTyping(event.target) || (isPlain && !usePreferences.getState().letterKeys) || isDialogOpen();
  if (!hit.isEverywhere && isQuiet()) return;
  event.preventDefault();
  hit.run();
}
