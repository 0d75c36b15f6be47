import { expect, test } from 'vitest';
import { mentionsIn, openMention, suggestionsFor, textParts } from './mentions.ts';

const team = [
  { id: 'usr_1', name: 'Anna', kind: 'person' },
  { id: 'usr_2', name: 'Anna Berg', kind: 'person' },
  { id: 'rol_1', name: 'Operator', kind: 'role' },
] as const;

test('a name is being typed behind an @ that begins a word', () => {
  expect(openMention('please @An')).toEqual({ at: 7, typed: 'An' });
  expect(openMention('@')).toEqual({ at: 0, typed: '' });
  expect(openMention('anna@example')).toBeNull();
  expect(openMention('no name')).toBeNull();
  expect(suggestionsFor('op', team).map(({ name }) => name)).toEqual(['Operator']);
});

test('of names that begin alike the longest is meant', () => {
  expect(mentionsIn('@Anna Berg and @Operator', team)).toEqual(['usr_2', 'rol_1']);
  expect(mentionsIn('@Anna, ask @Anna Berg', team)).toEqual(['usr_2', 'usr_1']);
  expect(mentionsIn('Anna', team)).toEqual([]);
});

test('a text is cut at its mentions', () => {
  expect(textParts('Ask @Anna Berg.', [{ id: 'usr_2', name: 'Anna Berg' }])).toEqual([
    { text: 'Ask ', isMention: false },
    { text: '@Anna Berg', isMention: true },
    { text: '.', isMention: false },
  ]);
  expect(textParts('Ask (a+b)', [{ id: 'x', name: null }])).toEqual([{ text: 'Ask (a+b)', isMention: false }]);
});
