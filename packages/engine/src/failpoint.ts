/**
 * Named places where a test can make a real process die, stop, lose its connection or throw:
 * `PDF2PRESS_FAILPOINTS=afterClaim:kill,…`. Outside of tests the table is empty and a failpoint costs one look-up.
 */
const places = [
  'afterSpool',
  'beforeStartCommit',
  'afterStartCommit',
  'beforeCursor',
  'afterCursor',
  'afterClaim',
  'whileRunning',
  'beforeCommit',
  'insideCommit',
  'answerToCommit',
  'afterCommit',
  'beforeEffect',
  'afterEffect',
  'insideEffectCommit',
  'afterEffectCommit',
  'insideWait',
  'afterWait',
] as const;
export type Failpoint = (typeof places)[number];

const actions = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  freeze: () => process.kill(process.pid, 'SIGSTOP'),
  lose: () => {
    throw new Error('Connection terminated unexpectedly');
  },
  throw: (place: string) => {
    throw new Error(`failpoint ${place}`);
  },
};
type Action = keyof typeof actions;

const set = new Map<string, Action>();
if (process.env.NODE_ENV === 'test') {
  for (const pair of (process.env.PDF2PRESS_FAILPOINTS ?? '').split(',')) {
    const [place, action] = pair.split(':');
    if (place && action && action in actions) set.set(place, action as Action);
  }
}

/** Does what a test configured for this place, once per process. */
export function failpoint(place: Failpoint): void {
  const action = set.get(place);
  if (!action) return;
  set.delete(place);
  actions[action](place);
}
