import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { authRoutes } from '@pdf2press/contract/calls';
import { expect, test, vi } from 'vitest';
import { preferenceKey } from '../preferences/preferences.ts';

const script = readFileSync(new URL('../../public/early.js', import.meta.url), 'utf8');

/** Runs the script in a page of this address. Returns what it asked, and what it left for the app. */
function opened(
  address: string,
  { stored = [preferenceKey('signed-in')], hasLocks = true, isOffline = false, isLate = false } = {},
) {
  const asked: string[] = [];
  const held: string[] = [];
  const shown: string[] = [];
  const window: { earlyTokens?: Promise<unknown> | null; firstPageIsDrawn?: true } = isLate
    ? { earlyTokens: null, firstPageIsDrawn: true }
    : {};
  runInNewContext(script, {
    window,
    Image: class {
      style = {};
      onload = () => undefined;
      set src(picture: string) {
        asked.push(`GET ${picture}`);
        setTimeout(() => this.onload());
      }
    },
    matchMedia: () => ({ matches: false }),
    document: { body: { append: ({ id }: { id: string }) => shown.push(id) } },
    URLSearchParams,
    location: new URL(address, 'https://press.example'),
    localStorage: { getItem: (key: string) => (stored.includes(key) ? 'true' : null) },
    navigator: {
      locks: hasLocks && {
        request: (name: string, act: () => unknown) => {
          held.push(name);
          return act();
        },
      },
    },
    fetch: async (url: string, { method }: { method: string }) => {
      asked.push(`${method} ${url}`);
      if (isOffline) throw new TypeError('Failed to fetch');
      return 'an answer';
    },
  });
  return { asked, held, shown, window };
}

test('where somebody may be signed in, the token is asked for once, in turn with other tabs', async () => {
  const { asked, held, window } = opened('/workflows/session/ses_1');
  expect(asked).toEqual([`POST /api${authRoutes.refresh.path}`]);
  expect(held).toEqual([preferenceKey('refresh')]);
  expect(await window.earlyTokens).toBe('an answer');
  expect(opened('/', { hasLocks: false }).asked).toHaveLength(1);
});

test('a failure is left to the app, and is no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const { window } = opened('/', { isOffline: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  await expect(window.earlyTokens).rejects.toThrow('Failed to fetch');
});

test('the first page of a proof is shown, and not any more once the app has drawn it', async () => {
  const proof = opened('/client-proofing/abc/d-e_f?lang=fr');
  expect(proof.asked).toEqual(['GET /api/client-proofing/abc/d-e_f/thumbnails/1']);
  await expect.poll(() => proof.shown).toEqual(['first-page']);
  const late = opened('/client-proofing/abc/d-e_f', { isLate: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(late.shown).toEqual([]);
});

test.each(['/client-proofing/abc', '/upload/house', '/delivered/abc', '/workflows?embed=true&token=p2e_1'])(
  'nothing is asked at %s',
  (address) => expect(opened(address).asked).toEqual([]),
);

test('nothing is asked once the app has asked itself', () => expect(opened('/', { isLate: true }).asked).toEqual([]));

test('nothing is asked at a first visit', () => {
  const { asked, window } = opened('/', { stored: [] });
  expect(asked).toEqual([]);
  expect(window.earlyTokens).toBeUndefined();
});
