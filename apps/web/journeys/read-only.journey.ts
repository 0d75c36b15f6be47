import { existsSync, readdirSync } from 'node:fs';
import { permissions, profileKinds } from '@pdf2press/contract';
import { expect, type Page } from 'playwright/test';
import { type Place, placesOf } from '../src/frame/place.ts';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, signIn, test } from './house.ts';
import { becomes, submit } from './submit.ts';

/*
 * Every screen as somebody who may only look sees it: nothing on it does what the API would refuse. What people may use
 * to look at things is named below; any other control that a screen shows them is a fault.
 */

const mark = Date.now().toString(36);
const source = new URL('../src/', import.meta.url);
/** The same list as the app's, which Vite gathers from the folders. What is open to everybody who signs in is theirs to use. */
const folders = await Promise.all(
  readdirSync(source)
    .map((folder) => new URL(`${folder}/places.ts`, source))
    .filter((file) => !file.pathname.endsWith('/frame/places.ts') && existsSync(file))
    .map((file) => import(file.href) as Promise<Record<string, readonly Place[]>>),
);
const places = placesOf(folders).filter(({ access }) => typeof access !== 'string');

/** Finds, chooses, unfolds, turns pages and takes away in every list. */
const inLists =
  /^(Search |Where is my file\?|Select |Actions for |Columns$|Export (CSV|as (CSV|JSON))$|Organization$|Sort by$|Older$|Newer$|Rows per page$|Page \d+$|(First|Previous|Next|Last) page$)/;
/** What else serves looking, by place. */
const forLooking: Readonly<Record<string, RegExp>> = {
  dashboard: /^(Period|Workflow|Organization|As a table: .*)$/,
  user: /^(Status|Roles)$/,
  sessions:
    /^(My files|(All|Running|Waiting for me|On hold|Failed|With customers|With warnings|Completed|Archived)\d*|Status|Findings|Workflow|Source type|Customer|Created|Save this view|Clear( filters)?)$/,
  'session-view':
    /^(\w+(Done|Failed|Waiting).*|(Close|Open) (Steps|Details)|Zoom (in|out)|\d+%|Fit the page|Measure|Loupe|Marks|Boxes|Inks|Full screen|Copy the checksum of .*|\d+ (errors?|warnings?|notes?)|(Error|Warning|Note): .*|.*\.)$/,
  arrivals: /^(From|What became of it|Arrived)$/,
  'impose-form':
    /^(Pages of|Number of pages|Page (width|height)|Unit|Bleed|Next sheet|Front|Back|Zoom in|Page numbers|Marks|Dimensions)$/,
  'proofing-form': /^(Phone|Computer)$/,
  'communication-form': /^(Try on a session|Phone|Tablet|Desktop|Light|Dark|Formatted|Text|Text in)$/,
  'retention-files-details-id': /^(To be deleted|On legal hold)$/,
  organization: /^(Upload page|Open the upload page)$/,
  'organization-form': /^(Upload page|Proof|Message)$/,
  'role-form': /^With the role$/,
  audit: /^(Verify the chain|Who|To what|Kind|What|When)$/,
};

const there = async (page: Page, address: string) => {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
};

/**
 * The names of all that can be used: controls, and links that lead to making something. Rows lead to pages that are looked at, too. Tabs,
 * heads that sort a table, and what only unfolds are left out.
 */
const offered = (page: Page): Promise<string[]> =>
  page.locator('main, [role=menu], [role=dialog]').evaluateAll((parts) => {
    const controls = 'button, input, select, textarea, [contenteditable=true], a[href]';
    const unusable =
      ':disabled, [aria-disabled=true], [data-disabled], [role=tab], [aria-hidden=true], th button, button[aria-expanded]:not([aria-haspopup])';
    const nameOf = (element: HTMLElement): string =>
      (
        element.getAttribute('aria-label') ??
        ((element as HTMLInputElement).labels?.[0]?.textContent || element.textContent || element.outerHTML)
      ).trim();
    return parts
      .flatMap((part) => [...part.querySelectorAll<HTMLElement>(controls)])
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(unusable))
      .filter((element) => {
        const address = element instanceof HTMLAnchorElement ? new URL(element.href).pathname : null;
        return address === null || /\/(new|copy)(\/|$)/.test(address);
      })
      .map(nameOf);
  });

/** The tabs of the page that is shown, one after the other. */
async function* tabsOf(page: Page, name: string): AsyncGenerator<string> {
  for (const tab of await page.locator('main').getByRole('tab').all()) {
    await tab.click();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    yield name;
  }
}

/** The screens of a place: the page itself with its tabs, the menu of a row, and the first row's own page with its tabs. */
async function* screensOf(page: Page, { name, path }: Place): AsyncGenerator<string> {
  const address = path
    .replace(':action/:id?', 'new')
    .replace(/\/:session\?$/, '')
    .replace(/:\w+/g, 'nothing');
  // Of the sessions its own: what another one offers depends on what has become of it.
  await there(page, name === 'sessions' ? `${address}?search=${mark}` : address);
  yield name;
  yield* tabsOf(page, name);
  const box = page.locator('main').getByRole('checkbox', { name: /^Select / });
  if ((await box.count()) > 1) {
    await box.nth(1).check();
    yield name;
  }
  const menu = page.getByRole('button', { name: /^Actions for/ }).first();
  if (await menu.isVisible()) {
    await menu.click();
    await expect(page.getByRole('menuitem').first(), `the menu in ${name}`).toBeVisible();
    yield name;
    await page.keyboard.press('Escape');
  }
  const row = page.locator('main tbody').getByRole('link').first();
  if (!(await row.isVisible())) return;
  await there(page, await row.evaluate((link) => (link as HTMLAnchorElement).pathname));
  const own = places.find((each) => each.path.startsWith(`${path}/:action`))?.name ?? 'session-view';
  yield own;
  yield* tabsOf(page, own);
}

/** What the screens of these places offer besides what serves looking. */
async function faultsOf(page: Page, of: readonly Place[]): Promise<string[]> {
  const faults = new Set<string>();
  for (const place of of)
    for await (const screen of screensOf(page, place))
      for (const name of await offered(page))
        if (!inLists.test(name) && !forLooking[screen]?.test(name)) faults.add(`${screen}: ${name}`);
  return [...faults];
}

test('somebody who may only look is offered nothing that the API would refuse', { tag: '@night' }, async ({
  page,
  context,
}) => {
  test.setTimeout(20 * 60_000);
  const workflowId = await makePublished(page, {
    name: `Looked at ${mark}`,
    steps: [stepOf('Inject'), stepOf('Complete')],
  });
  await becomes(page, await submit(page, workflowId, `Looked at ${mark}.pdf`), /^Completed$/);
  const settings: Readonly<Record<string, object>> = {
    impose: { type: 'StepnRepeat' },
    inboundEmail: { host: 'imap.example.com', username: 'a', password: 'b', workflowId },
    delivery: { kind: 'folder', path: 'press' },
    sftpServer: { host: 'files.example.com', username: 'a', password: 'b', hostKey: `SHA256:${'A'.repeat(43)}` },
  };
  for (const kind of profileKinds)
    await ask(page, 'POST', `/profiles/${kind}`, { name: `Looked at ${mark}`, settings: settings[kind] ?? {} });
  await ask(page, 'POST', '/organizations', {
    name: `Looked at ${mark}`,
    uploadPage: { isPublic: true, slug: `looked-at-${mark}`, workflowIds: [workflowId] },
  });
  const who = { email: `reader-${mark}@example.com`, password: 'Right-0ne!' };
  const role = { name: who.email, permissions: permissions.filter((name) => name.endsWith('.view')), isDefault: false };
  const { id } = await ask<{ id: string }>(page, 'POST', '/roles', role);
  const user = { ...who, firstName: 'Reader', isActive: true, sendActivationEmail: false, roleIds: [id] };
  await ask(page, 'POST', '/users', user);

  await signIn(page, '/', who);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${page.url()}: ${response.request().method()} ${response.url()}`);
  });
  expect(await faultsOf(page, places)).toEqual([]);
  expect(refused, 'nor does a screen ask for it').toEqual([]);

  // The same look finds what an administrator may do there.
  await enter(page, context);
  const forms = places.filter(({ name, path }) => path.includes(':action') && name.endsWith('-form'));
  const found = await faultsOf(page, forms);
  expect(forms.filter(({ name }) => !found.some((fault) => fault.startsWith(`${name}: `)))).toEqual([]);
});
