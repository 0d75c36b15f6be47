import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endGesture, historyOf, mostEntries, redo, remember, undo } from './edit-history.ts';

const deed = { key: 'builder.did.changed' };

test('one gesture is one entry, and the next gesture another', () => {
  let history = historyOf('');
  for (const next of ['a', 'ab', 'abc']) history = remember(history, { next, deed, gesture: 'typing' });
  history = remember(endGesture(history), { next: 'abcd', deed, gesture: 'typing' });
  expect(history.past).toHaveLength(2);
  history = undo(history);
  expect(history.present).toBe('abc');
  expect(undo(history).present).toBe('');
});

test('a gesture that goes on after an undo does not swallow it', () => {
  let history = remember(historyOf('a'), { next: 'b', deed, gesture: 'drag' });
  history = remember(undo(history), { next: 'c', deed, gesture: 'drag' });
  expect(undo(history).present).toBe('a');
});

test('the same object is no change, and keeps what could be done again', () => {
  const same = { value: 1 };
  const history = remember(historyOf(same), { next: { value: 2 }, deed });
  const back = undo(history);
  expect(remember(back, { next: same, deed })).toBe(back);
});

test('a hundred steps back are kept', () => {
  let history = historyOf(0);
  for (let next = 1; next <= mostEntries + 20; next += 1) history = remember(history, { next, deed });
  expect(history.past).toHaveLength(mostEntries);
  for (let times = 0; times < mostEntries + 20; times += 1) history = undo(history);
  expect(history.present).toBe(20);
});

test('undone and done again is as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 40 }), fc.nat(40), (values, times) => {
      let history = historyOf<unknown>(null);
      for (const value of values) history = remember(history, { next: { value }, deed });
      const before = history.present;
      const steps = Math.min(times, values.length);
      for (let time = 0; time < steps; time += 1) history = undo(history);
      for (let time = 0; time < steps; time += 1) history = redo(history);
      expect(history.present).toBe(before);
    }),
  );
});
