import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sampled } from '@pdf2press/config/by-day';
import { expect, type Page } from 'playwright/test';
import { type Place, placesOf, titleOf } from '../src/frame/place.ts';
import { ask, enter, signIn, test } from './house.ts';

const source = new URL('../src/', import.meta.url);
const words: Record<string, string> = Object.assign(
  {},
  ...readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('/messages.en.json'))
    .map((name) => JSON.parse(readFileSync(new URL(name, source), 'utf8')) as Record<string, string>),
);
/** The same list as the app's, which Vite gathers from the folders. */
const folders = await Promise.all(
  readdirSync(source)
    .map((folder) => new URL(`${folder}/places.ts`, source))
    .filter((file) => !file.pathname.endsWith('/frame/places.ts') && existsSync(file))
    .map((file) => import(file.href) as Promise<Record<string, readonly Place[]>>),
);
const places = placesOf(folders);
const word = (key: string): string => words[key] ?? `no word for ${key}`;

/** An address of the place, with an id that does not exist, and forms for a new item. */
const addressOf = ({ path }: Place): string =>
  path
    .replace(':action/:id?', 'new')
    .replace(/\/:session\?$/, '')
    .replace(/:\w+/g, 'nothing');
const nameOf = (place: Place): string => word(titleOf(place));

/** Goes to an address inside the app, as a link would: a full load for each route would take minutes. */
const go = (page: Page, address: string) =>
  page.evaluate((to) => {
    document.title = 'underway';
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

interface Seen {
  path: string;
  layout: Place['layout'];
  heading: string;
}
/** The heading of the loaded page. */
async function seenAt(page: Page, address: string): Promise<Seen> {
  await go(page, address);
  await expect(page).not.toHaveTitle('underway');
  const heading = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await expect(page).toHaveTitle(`${heading} · pdf2press`);
  return {
    path: new URL(page.url()).pathname,
    layout: (await page.locator('[data-frame]').count()) > 0 ? 'default' : 'blank',
    heading,
  };
}
const panelOf = (page: Page) => page.getByRole('heading', { level: 2 }).first();
const entriesOf = async (page: Page): Promise<string[]> =>
  page
    .getByRole('navigation', { name: 'Main navigation' })
    .locator('a:not([href="/"])')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));

const notFound = 'Page not found';
/** Places that redirect, because the set-up is done. */
const leadsOn = new Set(['setup']);
const known = places.filter(({ name }) => !leadsOn.has(name));

test('every route has its layout; without a token all but the public ones redirect to the sign-in', async ({
  page,
}) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const place of known.filter(({ access }) => access === 'public')) {
    const address = addressOf(place);
    const seen = await seenAt(page, address);
    expect(seen, place.name).toMatchObject({ path: address, layout: 'blank' });
    await go(page, '/no-such-page');
    await expect(page).toHaveTitle(`${notFound} · pdf2press`);
  }
  const entries = await page.evaluate(() => history.length);
  const closed = sampled(
    known.filter(({ access }) => access !== 'public'),
    4,
  );
  for (const place of closed) {
    const address = addressOf(place);
    await go(page, address);
    await expect.poll(() => new URL(page.url()).searchParams.get('returnTo'), { message: place.name }).toBe(address);
    expect(new URL(page.url()).pathname).toBe('/login');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expect(page.locator('[data-frame]')).toHaveCount(0);
  }
  // One history entry for each address: the sign-in replaces it.
  expect(await page.evaluate(() => history.length)).toBe(Math.min(50, entries + closed.length));
});

test('an administrator can open every route, and each entry of the navigation is one of them', {
  tag: '@night',
}, async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/user/my-profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const place of known) {
    const address = addressOf(place);
    const seen = await seenAt(page, address);
    expect(seen, place.name).toMatchObject({ path: address, layout: place.layout });
    expect(seen.heading, place.name).not.toBe(notFound);
  }
  await go(page, '/user/my-profile');
  await expect(page.getByRole('heading', { level: 1, name: 'My profile' })).toBeVisible();
  const shown = await entriesOf(page);
  const areas = new Set(places.filter(({ nav }) => nav).map(({ nav }) => nav));
  expect(shown.sort()).toEqual([...areas].map((nav) => places.find((place) => place.nav === nav)?.path).sort());
});

test('a user without permissions is told which one each page needs, and starts on the own profile', async ({
  page,
}) => {
  const who = { email: `nobody-${Date.now().toString(36)}@example.com`, password: 'Right-0ne!' };
  const role = { name: who.email, permissions: [], isDefault: false };
  const { id } = await ask<{ id: string }>(page, 'POST', '/roles', role);
  const user = { ...who, firstName: 'Nobody', isActive: true, sendActivationEmail: false, roleIds: [id] };
  await ask(page, 'POST', '/users', user);
  await signIn(page, '/', who);
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  expect(await entriesOf(page)).toEqual(['/notification', '/feedback']);
  for (const place of sampled(known, 3)) {
    const seen = await seenAt(page, addressOf(place));
    if (typeof place.access === 'string') expect(seen.heading, place.name).not.toBe(notFound);
    else {
      expect(seen.heading, place.name).toBe(nameOf(place));
      await expect(panelOf(page), place.name).toHaveText(word('state.noPermission'));
      await expect(page.getByText(place.access[0]), place.name).toBeVisible();
    }
  }
});
