/** How long each of two versions is shown before the other one, milliseconds: one change a second. */
export const blinkMilliseconds = 1000;

/** Milliseconds between two changes at least. */
const leastBetween = 340;

/**
 * How long a change that is asked for waits, in milliseconds. Nothing flashes more than three times in a second (WCAG 2.2, 2.3.1),
 * however fast a key is pressed: there are three changes at most, and a flash takes two.
 * @param last when it changed last, milliseconds of the same clock as `now`
 */
export const waitBeforeChange = (last: number, now: number): number => Math.max(0, last + leastBetween - now);
