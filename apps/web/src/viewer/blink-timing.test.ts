import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blinkMilliseconds, waitBeforeChange } from './blink-timing.ts';

test('however fast a key is pressed, there are at most three changes in any second, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 60 }), (pauses) => {
      let [now, due] = [0, Number.NEGATIVE_INFINITY];
      const changes: number[] = [];
      for (const pause of pauses) {
        now += pause;
        // One that waits already stands for this press, too.
        if (due > now) continue;
        due = now + waitBeforeChange(due, now);
        changes.push(due);
      }
      expect(changes.at(-1)).toBeGreaterThanOrEqual(now);
      for (const from of changes)
        expect(changes.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(3);
    }),
  );
});

test('what blinks by itself never waits', () => {
  expect(waitBeforeChange(0, blinkMilliseconds)).toBe(0);
  expect(waitBeforeChange(Number.NEGATIVE_INFINITY, 0)).toBe(0);
});
