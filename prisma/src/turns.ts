/** Nobody's turn came in time. The code is the one that Prisma gives a wait for a connection that ended so. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
  readonly code = 'P2024';

  constructor() {
    super('No connection became free in time');
  }
}

export interface TurnOptions {
  /** How much work is done at once. */
  places: number;
  /** Milliseconds that somebody waits while no work begins. */
  patience: number;
}

/** Lets so much work go on at once; the rest waits, and goes on in the order in which it came. */
export interface Turns {
  /**
   * Does the work when it is its turn. The work calls `begun` as soon as it goes on: others wait longer then.
   * @param isFirst goes on before work that is not, but for one of four places, so that the other goes on as well
   * @throws NoTurnError where its turn did not come; nothing was begun
   */
  take<T>(work: (begun: () => void) => Promise<T>, isFirst?: boolean): Promise<T>;
}

interface Waiting {
  since: number;
  go: () => void;
  giveUp: (error: NoTurnError) => void;
}

/** The time is counted in so many parts of the patience: a process that was suspended, or stood still, has lost one of them. */
const ticksOfPatience = 10;
/** So many go on before one that does not come first does. */
const mostBefore = 3;
/** Whoever asks over HTTP has given up after half a minute or a whole one. */
const longest = 6 * ticksOfPatience;

/**
 * A queue before the pool of connections. The pool's own ends after a fixed time, in which a server that is overloaded for some
 * seconds refuses work by the hundred, all of it for want of a little more time; and it may not wait longer, because a
 * server that does not answer has to be told of. Here who waits goes on waiting while others' work begins, for six times the
 * patience, and for the patience alone where none does.
 */
export function openTurns({ places, patience }: TurnOptions): Turns {
  const firsts: Waiting[] = [];
  const others: Waiting[] = [];
  let before = 0;
  let free = places;
  let tick = 0;
  let begunAt = 0;
  let clock: NodeJS.Timeout | undefined;

  const begun = () => {
    begunAt = tick;
  };
  const isHopeless = ({ since }: Waiting) =>
    tick - Math.max(since, begunAt) > ticksOfPatience || tick - since > longest;
  const look = () => {
    tick += 1;
    // The first of each has waited longest.
    for (const queue of [firsts, others])
      while (queue[0] && isHopeless(queue[0])) queue.shift()?.giveUp(new NoTurnError());
    if (firsts.length + others.length > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
  const turn = (queue: Waiting[]) =>
    new Promise<void>((go, giveUp) => {
      clock ??= setInterval(look, patience / ticksOfPatience);
      queue.push({ since: tick, go, giveUp });
    });
  const leave = () => {
    const isFirst = firsts.length > 0 && (before < mostBefore || others.length === 0);
    before = isFirst ? before + 1 : 0;
    const next = (isFirst ? firsts : others).shift();
    if (next) next.go();
    else free += 1;
  };
  return {
    take: async (work, isFirst = false) => {
      if (free > 0) free -= 1;
      else await turn(isFirst ? firsts : others);
      try {
        return await work(begun);
      } finally {
        leave();
      }
    },
  };
}
