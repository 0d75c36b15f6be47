import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NoTurnError, openTurns } from './turns.ts';

interface Work {
  state: 'waits' | 'goes on' | 'done' | 'refused';
  end: () => void;
}

const patience = 1_000;
let turns: ReturnType<typeof openTurns>;

beforeEach(() => {
  vi.useFakeTimers();
  turns = openTurns({ places: 2, patience });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that goes on until it is ended; `isAnswered` false: nothing answers it. */
function begin({ isAnswered = true, isFirst = false } = {}): Work {
  const work: Work = { state: 'waits', end: () => undefined };
  turns
    .take((begun) => {
      work.state = 'goes on';
      if (isAnswered) begun();
      return new Promise<void>((resolve) => {
        work.end = resolve;
      });
    }, isFirst)
    .then(
      () => {
        work.state = 'done';
      },
      (error: unknown) => {
        expect(error).toBeInstanceOf(NoTurnError);
        work.state = 'refused';
      },
    );
  return work;
}

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('so much goes on at once, and the rest in the order in which it came', async () => {
  const all = Array.from({ length: 5 }, () => begin());
  const states = () => all.map(({ state }) => state);
  expect(states()).toEqual(['goes on', 'goes on', 'waits', 'waits', 'waits']);
  all[1]?.end();
  await wait(0);
  expect(states()).toEqual(['goes on', 'done', 'goes on', 'waits', 'waits']);
  all[0]?.end();
  all[2]?.end();
  await wait(0);
  expect(states()).toEqual(['done', 'done', 'done', 'goes on', 'goes on']);
});

test('what comes first goes on before what waits already, and lets a fourth of the places to it', async () => {
  const running = [begin(), begin()];
  const others = Array.from({ length: 3 }, () => begin());
  const firsts = Array.from({ length: 5 }, () => begin({ isFirst: true }));
  const order: string[] = [];
  const seen = new Set<Work>(running);
  const ended = new Set<Work>();
  while (seen.size < 10) {
    const next = [...seen].find((work) => !ended.has(work));
    next?.end();
    if (next) ended.add(next);
    await wait(0);
    for (const [name, all] of Object.entries({ first: firsts, other: others }))
      for (const work of all.filter(({ state }) => state === 'goes on'))
        if (!seen.has(work)) {
          seen.add(work);
          order.push(name);
        }
  }
  expect(order).toEqual(['first', 'first', 'first', 'other', 'first', 'first', 'other', 'other']);
});

test('work that fails leaves its place', async () => {
  const failing = () => turns.take(() => Promise.reject(new TypeError('no')));
  for (let no = 0; no < 3; no += 1) await expect(failing()).rejects.toThrow(TypeError);
});

describe('somebody who waits', () => {
  test('goes on waiting while others begin, much longer than for one of them', async () => {
    const first = [begin(), begin()];
    const later = Array.from({ length: 5 }, () => begin());
    for (const work of [...first, ...later].slice(0, -2)) {
      await wait(0.9 * patience);
      work.end();
    }
    await wait(0);
    expect(later.at(-1)?.state).toBe('goes on');
  });

  test('is refused when nothing has begun for as long as patience lasts, and then its place is not lost', async () => {
    const stuck = [begin({ isAnswered: false }), begin({ isAnswered: false })];
    const later = begin({ isAnswered: false });
    await wait(0.9 * patience);
    expect(later.state).toBe('waits');
    await wait(0.3 * patience);
    expect(later.state).toBe('refused');
    for (const work of stuck) work.end();
    await wait(0);
    expect([begin().state, begin().state, begin().state]).toEqual(['goes on', 'goes on', 'waits']);
  });

  test('is refused in the end, however many have begun before', async () => {
    const before = Array.from({ length: 20 }, () => begin());
    const last = begin();
    for (const work of before.slice(0, 12)) {
      await wait(0.6 * patience);
      work.end();
    }
    expect(before.at(-1)?.state).toBe('refused');
    expect(last.state).toBe('refused');
  });
});
