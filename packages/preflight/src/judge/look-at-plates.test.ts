/** Two pages are looked at at the same time; what is noted of them does not tell which of them was done first. */
import { FileFaultError } from '@pdf2press/contract/faults';
import type { PagePlates, PdfFile, RenderService } from '@pdf2press/pdf';
import { expect, test } from 'vitest';
import { lookAtPlates, type RenderHealth } from './look-at-plates.ts';

/** Pages that have plates unless `isLate`, and a look at each that takes as many turns as `turnsOf` says. */
async function lookedAt(count: number, turnsOf: (page: number) => number, isLate = (_: number): boolean => false) {
  const told: string[] = [];
  const atOnce = { now: 0, most: 0 };
  const health: RenderHealth = new Map();
  const render: Pick<RenderService, 'expectPlates' | 'plates'> = {
    expectPlates: () => undefined,
    plates: async (page) => {
      if (isLate(page)) throw new FileFaultError('PDF_TIMEOUT', { seconds: 1 });
      return { page, hasErrors: false } as PagePlates;
    },
  };
  const pages = Array.from({ length: count }, (_, index) => index + 1);
  const look = async (page: number): Promise<() => void> => {
    atOnce.now += 1;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    for (let turn = 0; turn < turnsOf(page); turn += 1) await new Promise((done) => setImmediate(done));
    atOnce.now -= 1;
    return () => told.push(`page ${page}`);
  };
  await lookAtPlates(
    {
      file: { pages: [] as PdfFile['pages'] } as PdfFile,
      profile: { considerLayers: 'PrintState' },
      services: { render: () => render as RenderService } as never,
      signal: new AbortController().signal,
      health,
    },
    [{ pages, dpi: 150, look, fail: (page, reason) => told.push(`${page} ${reason}`) }],
  );
  return { told, most: atOnce.most, health };
}

test('what is found on pages is noted in their order, whichever is done first', async () => {
  const { told, most, health } = await lookedAt(5, (page) => (page % 2 === 0 ? 1 : 9));
  expect(told).toEqual(['page 1', 'page 2', 'page 3', 'page 4', 'page 5']);
  expect(most).toBe(2);
  expect([...health]).toEqual([1, 2, 3, 4, 5].map((page) => [page, null]));
});

test('after five late pages in a row the others are given up, also the one that was begun before', async () => {
  const { told } = await lookedAt(
    9,
    () => 1,
    (page) => page > 1 && page < 7,
  );
  const late = [2, 3, 4, 5, 6, 7, 8, 9].map((page) => `${page} PDF_TIMEOUT`);
  expect(told).toEqual(['page 1', ...late]);
});
