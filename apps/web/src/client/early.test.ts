import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { authRoutes, sessionRoutes } from '@pdf2press/contract/calls';
import { expect, test, vi } from 'vitest';
import { defaultPreferences, preferenceKey } from '../preferences/preferences.ts';
import { queryOfAddress } from '../sessions/list-query.ts';
import { pathOf } from './call.ts';

const script = readFileSync(new URL('../../early.js', import.meta.url), 'utf8');

interface Early {
  tokens: Promise<Response>;
  answers: Record<string, Promise<Response>>;
}

/** Runs the script in a page of this address. Returns what it asked, and what it left for the app. */
function opened(
  address: string,
  { stored = { [preferenceKey('signed-in')]: 'true' }, isOffline = false, isDrawn = false, hasLocks = true } = {},
) {
  const asked: string[] = [];
  const tokens: (string | undefined)[] = [];
  const held: string[] = [];
  const shown: string[] = [];
  const window: { early?: Early; firstPageIsDrawn?: true } = isDrawn ? { firstPageIsDrawn: true } : {};
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
    localStorage: { getItem: (key: string) => (stored as Record<string, string>)[key] ?? null },
    navigator: hasLocks ? { locks: { request: async (name: string) => held.push(name) } } : {},
    fetch: async (url: string, { method = 'GET', headers }: { method?: string; headers: Record<string, string> }) => {
      asked.push(`${method} ${url}`);
      tokens.push(headers.authorization);
      if (isOffline) throw new TypeError('Failed to fetch');
      return Response.json({ success: true, result: { authToken: 'abc' } });
    },
  });
  return { asked, tokens, held, shown, window };
}

const refreshed = `POST /api${authRoutes.refresh.path}`;
const me = `GET ${pathOf(authRoutes.me)}`;

test('where somebody may be signed in, the token is asked for once, and with it who that is', async () => {
  const { asked, tokens, held, window } = opened('/dashboard');
  expect(asked).toEqual([refreshed]);
  expect(held).toEqual([preferenceKey('refresh')]);
  expect((await window.early?.tokens)?.ok).toBe(true);
  await expect.poll(() => asked).toEqual([refreshed, me]);
  expect(tokens).toEqual([undefined, 'Bearer abc']);
  expect(Object.keys(window.early?.answers ?? {})).toEqual([pathOf(authRoutes.me)]);
  expect(opened('/dashboard', { hasLocks: false }).asked).toHaveLength(1);
});

test('of a session and of the list, what the app asks for first', async () => {
  const { asked, window } = opened('/workflows/session/ses_1');
  const session = [
    pathOf(sessionRoutes.get, { id: 'ses_1' }),
    pathOf(sessionRoutes.findingCounts, { id: 'ses_1' }),
    pathOf(sessionRoutes.pages, { id: 'ses_1' }, { version: 'original' }),
  ];
  await expect.poll(() => asked).toEqual([refreshed, me, ...session.map((address) => `GET ${address}`)]);
  expect(Object.keys(window.early?.answers ?? {})).toEqual([pathOf(authRoutes.me), ...session]);
  for (const size of [undefined, 50]) {
    const list = opened('/workflows/sessions', {
      stored: { [preferenceKey('signed-in')]: 'true', ...(size && { [preferenceKey('pageSize')]: String(size) }) },
    });
    const query = queryOfAddress({
      page: 1,
      pageSize: size ?? defaultPreferences.pageSize,
      all: () => [],
      one: () => null,
    });
    await expect.poll(() => list.asked).toEqual([refreshed, me, `GET ${pathOf(sessionRoutes.list, {}, query)}`]);
  }
  const filtered = opened('/workflows/sessions?status=Failed');
  await expect.poll(() => filtered.asked).toEqual([refreshed, me]);
});

test('a failure is left to the app, and is no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const { window } = opened('/workflows/session/ses_1', { isOffline: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  await expect(window.early?.tokens).rejects.toThrow('Failed to fetch');
  await expect(window.early?.answers[pathOf(authRoutes.me)]).rejects.toThrow('Failed to fetch');
});

test('the first page of a proof is shown, and not any more once the app has drawn it', async () => {
  const proof = opened('/client-proofing/abc/d-e_f?lang=fr');
  expect(proof.asked).toEqual(['GET /api/client-proofing/abc/d-e_f/thumbnails/1']);
  await expect.poll(() => proof.shown).toEqual(['first-page']);
  const late = opened('/client-proofing/abc/d-e_f', { isDrawn: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(late.shown).toEqual([]);
});

test.each(['/client-proofing/abc', '/upload/house', '/delivered/abc', '/workflows?embed=true&token=p2e_1'])(
  'nothing is asked at %s',
  (address) => expect(opened(address).asked).toEqual([]),
);

test('nothing is asked at a first visit', () => {
  const { asked, window } = opened('/', { stored: {} });
  expect(asked).toEqual([]);
  expect(window.early).toBeUndefined();
});
