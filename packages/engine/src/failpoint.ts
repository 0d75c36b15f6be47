/**
 * Named places where a test can make a real process die, stop, lose its connection or throw:
 * `PDF2PRESS_FAILPOINTS=afterClaim:kill,…`; `afterClaim:kill:3` acts the third time. Outside of tests the table is empty and a failpoint costs one look-up.
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
  'insideParts',
  'insideCommit',
  'answerToCommit',
  'afterCommit',
  'beforeEffect',
  'afterProgress',
  'afterEffect',
  'insideEffectCommit',
  'afterEffectCommit',
  'insideWait',
  'afterWait',
  'insideDecision',
  'beforeDecisionCommit',
  'afterDecision',
  'insidePump',
  'afterPump',
  'afterRing',
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

const set = new Map<string, { action: Action; left: number }>();
if (process.env.NODE_ENV === 'test') {
  for (const pair of (process.env.PDF2PRESS_FAILPOINTS ?? '').split(',')) {
    const [place, action, left = '1'] = pair.split(':');
    if (place && action && action in actions) set.set(place, { action: action as Action, left: Number(left) });
  }
}

/** Does what a test configured for this place, once per process. */
export function failpoint(place: Failpoint): void {
  const found = set.get(place);
  if (!found) return;
  found.left -= 1;
  if (found.left > 0) return;
  set.delete(place);
  actions[found.action](place);
}
