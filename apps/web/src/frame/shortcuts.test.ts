import { expect, test } from 'vitest';
import { keyName } from './shortcuts.ts';

const key = (name: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) =>
  keyName({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test('keys are named by what they type, with their modifiers', () => {
  expect(key('k', { ctrlKey: true })).toBe('ctrl+k');
  expect(key('k', { metaKey: true })).toBe('ctrl+k');
  expect(key('X', { shiftKey: true })).toBe('shift+x');
  expect(key('?', { shiftKey: true })).toBe('?');
  expect(key('ArrowLeft')).toBe('ArrowLeft');
});
