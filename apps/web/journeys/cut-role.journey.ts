import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Permission, permissions } from '@pdf2press/contract';
import { expect, type Locator, type Page } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { ask, enter, signIn, test, tokenOf } from './house.ts';

const mark = Date.now().toString(36);
const worker = { email: `cut-${mark}@example.com`, password: 'Right-0ne!' };

const source = new URL('../src/', import.meta.url);
/** All that the screens say; what the form of a role calls a permission stands with its noun. */
const words: Readonly<Record<string, string>> = Object.assign(
  {},
  ...readdirSync(source)
    .map((folder) => new URL(`${folder}/messages.en.json`, source))
    .filter((file) => existsSync(file))
    .map((file): unknown => JSON.parse(readFileSync(file, 'utf8'))),
);

interface Cut {
  permission: Permission;
  /** The screen of its button; `id` is that of a workflow. */
  at: (id: string) => string;
  button: (page: Page) => Locator;
  /** What the button would ask of the API. */
  call: (id: string) => { method: string; path: string; data?: object };
}

const link = (name: string) => (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });
const button = (name: string) => (page: Page) => page.getByRole('main').getByRole('button', { name, exact: true });
const inMenu = (name: string) => (page: Page) => page.getByRole('menuitem', { name, exact: true });
const post = (path: string, data: object) => () => ({ method: 'POST', path, data });

/** One permission after the other, each with the button that is for it alone. */
const cuts: readonly Cut[] = [
  {
    permission: 'workflows.create',
    at: () => '/workflows',
    button: button('New workflow'),
    call: post('/workflows', { name: `Mine ${mark}` }),
  },
  {
    permission: 'workflows.delete',
    at: () => `/workflows?search=${mark}`,
    button: inMenu('Delete'),
    call: (id) => ({ method: 'DELETE', path: `/workflows/${id}` }),
  },
  {
    permission: 'workflows.actions.edit',
    at: (id) => `/workflows/edit/${id}`,
    button: button('Action'),
    call: post('/workflows/secrets', { text: 'long enough' }),
  },
  {
    permission: 'workflows.edit',
    at: (id) => `/workflows/edit/${id}`,
    button: button('Publish'),
    call: (id) => ({ method: 'POST', path: `/workflows/${id}/publish` }),
  },
  {
    permission: 'fix.manage',
    at: () => '/fix',
    button: link('New profile'),
    call: post('/profiles/fix', { name: `Fix ${mark}`, settings: {} }),
  },
  {
    permission: 'sessions.inject',
    at: () => '/workflows/sessions',
    button: button('New session'),
    call: post('/sessions/batch', { items: [] }),
  },
  {
    permission: 'organizations.manage',
    at: () => '/organization',
    button: link('New organization'),
    call: post('/organizations', { name: `Org ${mark}` }),
  },
  { permission: 'users.manage', at: () => '/user', button: link('New user'), call: post('/users', {}) },
  { permission: 'roles.manage', at: () => '/role', button: link('New role'), call: post('/roles', {}) },
];

test('a role is cut down until each button is gone and the API refuses what it would have asked', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  test.setTimeout(240_000);
  const name = `Cut ${mark}`;
  const role = await ask<{ id: string }>(page, 'POST', '/roles', { name, permissions });
  const person = { ...worker, firstName: 'Cut', isActive: true, sendActivationEmail: false, roleIds: [role.id] };
  await ask(page, 'POST', '/users', person);
  const id = await makeDraft(page, { name: `Flow ${mark}`, steps: [stepOf('Inject'), stepOf('Complete')] });

  const theirs = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const own = await theirs.newPage();
  await signIn(own, '/workflows', worker);
  const answer = async ({ call }: Cut) => {
    const { method, path, data } = call(id);
    const headers = { authorization: `Bearer ${await tokenOf(own, worker)}` };
    return own.request.fetch(`/api${path}`, { method, headers, ...(data ? { data } : {}) });
  };
  /** The screen with all its buttons, those of a menu, too. */
  const open = async ({ at, button: of }: Cut) => {
    await own.goto(at(id));
    await expect(own.getByRole('heading', { level: 1 })).toBeAttached();
    await expect(own.locator('[aria-busy=true]')).toHaveCount(0);
    const menu = own.getByRole('button', { name: `Actions for Flow ${mark}` });
    if (at(id).includes('search=')) {
      await menu.click();
      await expect(own.getByRole('menuitem').first()).toBeVisible();
    }
    return of(own).first();
  };

  await enter(page, context);
  for (const cut of cuts) {
    await expect(await open(cut), `${cut.permission} has its button`).toBeVisible();
    // In the form of the role, as an administrator does it.
    await page.goto(`/role/edit/${role.id}`);
    const [area = '', ...rest] = cut.permission.split('.');
    const group = page.getByRole('group', { name: words[`permission.area.${area}`] ?? '', exact: true });
    await group.getByRole('checkbox', { name: words[`permission.${rest.join('.')}`] ?? '', exact: true }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/role$/);
    await expect(await open(cut), `${cut.permission} was the button’s`).toHaveCount(0);
    const refused = await answer(cut);
    expect(refused.status(), `the API refuses without ${cut.permission}`).toBe(403);
    expect(await refused.text()).toContain('access.denied');
  }
  await theirs.close();
});
