import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { authRoutes, sessionRoutes } from '@pdf2press/contract/calls';
import { expect, test, vi } from 'vitest';
import type { Asked, Told } from '../early/asked.ts';
import { type Fetch, work } from '../early/work.ts';
import { preferenceKey } from '../preferences/kept.ts';
import { defaultPreferences } from '../preferences/preferences.ts';
import { queryOfAddress } from '../sessions/list-query.ts';
import { pathOf } from './address.ts';

const script = readFileSync(new URL('../../early.js', import.meta.url), 'utf8');

interface Early {
  tokens: Promise<Response>;
  answers: Record<string, Promise<Response>>;
  firstPage: Promise<void>;
}

interface Worker {
  onmessage: (event: { data: Told }) => void;
  onerror: () => void;
}

const session = {
  status: 'Completed',
  steps: [],
  files: [{ kind: 'OriginalFile', mediaType: 'application/pdf', sha256: 'aa' }],
};
const pages = {
  sha256: 'aa',
  pages: [
    { page: 1, widthPt: 100, heightPt: 200, isReady: true, levels: [{ dpi: 72, width: 100, height: 200, tile: 512 }] },
  ],
};
const stage = { x: 10, y: 20, width: 300, height: 248 };
const seenBefore = JSON.stringify({ window: '800×600', places: { 'Completed false': stage } });

/** Runs the script in a page of this address, with its worker. Returns what it asked, and what it left for the app. */
function opened(
  address: string,
  {
    stored = { [preferenceKey('signed-in')]: 'true' },
    isOffline = false,
    isDrawn = false,
    hasLocks = true,
    hasWorker = true,
  } = {},
) {
  const asked: string[] = [];
  const tokens: (string | undefined)[] = [];
  const held: string[] = [];
  const shown: string[] = [];
  const drawn: { style: Record<string, string>; src?: string }[] = [];
  const window: { early?: Early; firstPageIsDrawn?: true } = isDrawn ? { firstPageIsDrawn: true } : {};
  const get: Fetch = async (url, { method = 'GET', headers } = {}) => {
    asked.push(`${method} ${url}`);
    tokens.push((headers as Record<string, string>).authorization);
    if (isOffline) throw new TypeError('Failed to fetch');
    if (url.endsWith('.webp') || url.includes('.webp?')) return new Response('picture');
    const result = url.endsWith('/ses_1') ? session : url.includes('/pages?') ? pages : { authToken: 'abc' };
    return Response.json({ success: true, result });
  };
  const element = () => {
    const one = { style: {}, append: () => undefined };
    drawn.push(one);
    return one;
  };
  runInNewContext(script, {
    window,
    Image: class {
      style = {};
      onload = () => undefined;
      decode = async () => undefined;
      constructor() {
        drawn.push(this);
      }
      set src(picture: string) {
        if (picture.startsWith('blob:')) return;
        asked.push(`GET ${picture}`);
        setTimeout(() => this.onload());
      }
    },
    matchMedia: () => ({ matches: false }),
    document: {
      body: { append: ({ id }: { id: string }) => shown.push(id) },
      querySelector: () => null,
      createElement: element,
    },
    URLSearchParams,
    URL: { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined },
    Response,
    setTimeout,
    addEventListener: () => undefined,
    requestAnimationFrame: (draw: () => void) => draw(),
    innerWidth: 800,
    innerHeight: 600,
    devicePixelRatio: 1,
    location: new URL(address, 'https://press.example'),
    localStorage: { getItem: (key: string) => (stored as Record<string, string>)[key] ?? null },
    navigator: hasLocks ? { locks: { request: async (name: string) => held.push(name) } } : {},
    Worker: class implements Worker {
      onmessage: Worker['onmessage'] = () => undefined;
      onerror: Worker['onerror'] = () => undefined;
      postMessage(given: Asked) {
        if (hasWorker) void work(given, (data) => this.onmessage({ data }), get);
        else setTimeout(() => this.onerror());
      }
    },
  });
  return { asked, tokens, held, shown, drawn, window };
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
    pathOf(sessionRoutes.pages, { id: 'ses_1' }, { version: 'original' }),
    pathOf(authRoutes.me),
    pathOf(sessionRoutes.findingCounts, { id: 'ses_1' }),
  ];
  await expect.poll(() => asked).toEqual([refreshed, ...session.map((address) => `GET ${address}`)]);
  expect(Object.keys(window.early?.answers ?? {})).toEqual(session);
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
  await expect(window.early?.tokens).rejects.toThrow('no answer');
  await expect(window.early?.answers[pathOf(authRoutes.me)]).rejects.toThrow('no answer');
});

test('without the worker, the app asks itself', async () => {
  const { asked, window } = opened('/workflows/session/ses_1', { hasWorker: false });
  await expect(window.early?.tokens).rejects.toThrow('does not run');
  await expect(window.early?.answers[pathOf(sessionRoutes.get, { id: 'ses_1' })]).rejects.toThrow('does not run');
  expect(asked).toEqual([]);
});

test('the first page of a session is shown where one like it was seen, and not once the app has drawn it', async () => {
  const stored = { [preferenceKey('signed-in')]: 'true', [preferenceKey('stages')]: seenBefore };
  const seen = opened('/workflows/session/ses_1', { stored });
  await expect.poll(() => seen.shown).toEqual(['first-page']);
  expect(seen.drawn.map(({ style }) => style)).toMatchObject([
    { position: 'fixed', left: '10px', top: '20px', inlineSize: '300px', blockSize: '248px' },
    { position: 'absolute', left: '100px', top: '24px', inlineSize: '100px', blockSize: '200px' },
    { position: 'absolute', left: '0%', top: '0%', inlineSize: '100%', blockSize: '100%' },
  ]);
  // The app asks for the same answers, and has them all.
  expect(await (await seen.window.early?.answers[pathOf(sessionRoutes.get, { id: 'ses_1' })])?.json()).toMatchObject({
    result: session,
  });
  for (const other of [
    opened('/workflows/session/ses_1', { stored, isDrawn: true }),
    opened('/workflows/session/ses_1', { stored: { ...stored, [preferenceKey('stages')]: 'old' } }),
  ]) {
    await expect.poll(() => other.asked.length).toBeGreaterThan(4);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(other.shown).toEqual([]);
  }
});

test('the app waits for the first page of a session, and for none that will not come', async () => {
  const stored = { [preferenceKey('signed-in')]: 'true', [preferenceKey('stages')]: seenBefore };
  const awaited = async (seen: ReturnType<typeof opened>) => {
    const wait = seen.window.early?.firstPage.then(() => seen.shown);
    return Promise.race([wait, new Promise((resolve) => setTimeout(() => resolve('waited too long'), 1_000))]);
  };
  const path = '/workflows/session/ses_1';
  expect(await awaited(opened(path, { stored }))).toEqual(['first-page']);
  expect(await awaited(opened(path, { stored, isOffline: true }))).toEqual([]);
  expect(await awaited(opened(path, { stored, hasWorker: false }))).toEqual([]);
  expect(await awaited(opened(path, { stored: { ...stored, [preferenceKey('stages')]: 'old' } }))).toEqual([]);
  expect(await awaited(opened(path))).toEqual([]);
  expect(await awaited(opened('/dashboard', { stored }))).toEqual([]);
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
