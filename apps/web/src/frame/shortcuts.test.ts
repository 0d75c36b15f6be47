import { expect, test } from 'vitest';
import { inParts, keyName } from './shortcuts.ts';

const key = (name: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) =>
  keyName({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test('a key name is what the key types, with its modifiers', () => {
  expect(key('k', { ctrlKey: true })).toBe('ctrl+k');
  expect(key('k', { metaKey: true })).toBe('ctrl+k');
  expect(key('X', { shiftKey: true })).toBe('shift+x');
  expect(key('?', { shiftKey: true })).toBe('?');
  expect(key('ArrowLeft')).toBe('ArrowLeft');
});

test('the shortcut list has the keys of the page before the global ones, in whatever order they were registered', () => {
  const set = (title: Parameters<typeof inParts>[0][number]['title'], ...keys: string[]) => ({
    title,
    shortcuts: keys.map((one) => ({ keys: one, label: one, run: () => undefined })),
  });
  const sets = [
    set('keys.list', '/'),
    set('keys.everywhere', '?'),
    set('keys.list', 'j', 'k'),
    set('keys.session', 'n'),
  ];
  const told = (order: typeof sets) =>
    inParts(order).map(({ title, shortcuts }) => [title, ...shortcuts.map(({ keys }) => keys)]);
  expect(told(sets)).toEqual([
    ['keys.session', 'n'],
    ['keys.list', '/', 'j', 'k'],
    ['keys.everywhere', '?'],
  ]);
  expect(told([...sets].reverse()).map(([title]) => title)).toEqual(told(sets).map(([title]) => title));
});
