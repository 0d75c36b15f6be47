import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { usePreferences } from '../preferences/preferences.ts';

/** A key or a sequence of keys, as `g s`, `ctrl+k`, `?`, `ArrowLeft`; the words of what it does are a message key. */
export interface Shortcut {
  keys: string;
  /** Message key for the sheet. */
  label: string;
  run: () => void;
  /** Works while typing and with a dialog open. */
  isEverywhere?: boolean;
}

/** The headings of the sheet (message keys), what the page itself is about first, what works everywhere last. */
const parts = ['keys.form', 'keys.session', 'keys.list', 'keys.viewer', 'keys.everywhere'] as const;
type Part = (typeof parts)[number];

/** Keys that are offered together, under one heading. */
export interface ShortcutSet {
  title: Part;
  shortcuts: readonly Shortcut[];
}

export const useShortcutSets = create<{ sets: readonly ShortcutSet[] }>(() => ({ sets: [] }));

/** The sets by heading, whichever came to the screen first; several parts of a page offer keys under the same one. */
export const inParts = (sets: readonly ShortcutSet[]): readonly ShortcutSet[] =>
  parts
    .map((title) => ({
      title,
      shortcuts: sets.filter((set) => set.title === title).flatMap(({ shortcuts }) => shortcuts),
    }))
    .filter(({ shortcuts }) => shortcuts.length > 0);

/** Offers keys while the calling component is on the screen. `title` is the message key of its part of the sheet. */
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
// What a closed field could drop down is on the page all the same, but nowhere to be seen. The frame of a question stays
// on the page, too; a question that is asked is a dialog within it.
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"],[role="menu"],[role="listbox"]')].some(
    (element) => element.getClientRects().length > 0,
  );

const sequenceMilliseconds = 1000;
let before = { name: '', at: 0 };

/** Hears all keys for whatever sets are offered; the youngest set wins. */
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
  // Whether a dialog is open is asked last: the page is laid out for it.
  const isQuiet = () => isTyping(event.target) || (isPlain && !usePreferences.getState().letterKeys) || isDialogOpen();
  if (!hit.isEverywhere && isQuiet()) return;
  event.preventDefault();
  hit.run();
}
