import { expect, test } from 'vitest';
import { type Respelling, respell } from './respell.ts';

const respelling: Respelling = {
  names: { 'text.minK': 'text.least', offset: 'back.x' },
  words: { mode: { 'keep all': 'Keep', both: ['A', 'B'] } },
  phrases: {
    sides: (value) => ({ sides: { count: value } }),
    to: (text) => (text.startsWith('MapTo(') ? { target: text.slice(6, -1) } : null),
  },
};

test('names, words and phrases are put into those of today; the rest stays', () => {
  expect(respell({ 'text.minK': 90, text: { colour: 'red' }, OFFSET: 3 }, respelling)).toEqual({
    text: { least: 90, colour: 'red' },
    back: { x: 3 },
  });
  expect(respell({ mode: 'Keep-All', to: 'MapTo(Gold)', other: [1] }, respelling)).toEqual({
    mode: 'Keep',
    target: 'Gold',
    other: [1],
  });
  expect(respell({ sides: 2 }, respelling)).toEqual({ sides: { count: '2' } });
  expect(respell({ mode: 'both, x' }, respelling)).toEqual({ mode: ['A', 'B', 'x'] });
  expect(respell({ group: {}, text: 'plain' }, respelling)).toEqual({ group: {}, text: 'plain' });
});

test('names of what every object has are names like any other', () => {
  const given = JSON.parse(
    '{"__proto__": {"polluted": 1}, "__proto__.second": 2, "constructor.prototype.third": 3, "toString": "x", "valueOf": "y"}',
  );
  const read = respell(given, respelling);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  const clean = {} as Record<string, unknown>;
  expect([clean.polluted, clean.second, clean.third]).toEqual([undefined, undefined, undefined]);
  expect(Object.hasOwn(read, '__proto__')).toBe(true);
  expect(read.toString).toBe('x');
});
