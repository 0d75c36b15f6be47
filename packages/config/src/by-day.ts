/** Whether everything is tested, as `npm run night` does; `npm test` takes samples where the same way is tried many times. */
export const isNight = process.env.NIGHT === '1';

/** One in `part` of all, evenly spread, and those that `always` holds for; at night all. */
export const sampled = <T>(all: readonly T[], part: number, always: (one: T) => boolean = () => false): readonly T[] =>
  isNight ? all : all.filter((one, at) => at % part === 0 || always(one));
