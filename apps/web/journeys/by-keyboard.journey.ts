import { expect } from 'playwright/test';
import { administrator, enter, patience, rowWith, sampleWorkflow, signIn, test } from './house.ts';
import { expectRing, tabTo, takeEntry, walkAround } from './keyboard.ts';
import { makePdf } from './make-pdf.ts';

/** The operators' flows with the keyboard alone: no focus trap, a visible focus ring, and focus returns after a dialog. */
const mark = Date.now().toString(36);
const name = `keys-${mark}.pdf`;

test('signing in, tabbing through the page, changing the theme', async ({ page }) => {
  await page.goto('/login');
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(administrator.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(administrator.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  // Two keys of a sequence must come within a second; a slow machine may need another try.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await walkAround(page);

  const theme = page.getByRole('button', { name: 'Theme' });
  await tabTo(page, theme);
  await page.keyboard.press('Enter');
  await takeEntry(page, 'menuitemradio', 'Dark');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(theme).toBeFocused();
  await expectRing(page);
});

test('a file is submitted, its finding opened on the page, the session restarted and deleted', {
  tag: '@night',
}, async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/workflows/sessions');
  const open = page.getByRole('button', { name: 'New session' }).first();
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'New session' });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  // Listened for early: a key is faster than the browser is told to hand its chooser over.
  const chosen = page.waitForEvent('filechooser');
  await tabTo(page, drawer.getByRole('button', { name: 'Choose files' }));
  await page.keyboard.press('Enter');
  const chooser = await chosen;
  await chooser.setFiles({
    name,
    mimeType: 'application/pdf',
    buffer: makePdf([`Keys ${mark}`, 'Second page', 'Third page']),
  });
  await tabTo(page, drawer.getByRole('combobox', { name: 'Workflow' }));
  await page.keyboard.press('ArrowDown');
  const sample = page.getByRole('option', { name: sampleWorkflow }).first();
  await expect(sample).toBeVisible();
  while ((await sample.getAttribute('data-combobox-selected')) === null) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, drawer.getByRole('button', { name: 'Submit 1 file' }));
  await page.keyboard.press('Enter');
  await expect(drawer).toBeHidden();
  await rowWith(page, name, 'Completed');

  await page.keyboard.press('/');
  await expect(page.getByLabel('Search files and ids')).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole('row')).toHaveCount(2);
  await tabTo(page, page.getByRole('link', { name }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

  const finding = page.getByRole('button', { name: /Helvetica/ }).first();
  await tabTo(page, finding);
  await page.keyboard.press('Enter');
  await expect(finding).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('rect[data-chosen]').first()).toBeVisible();
  const zoom = () => page.getByText(/^\d+ ?%$/).textContent();
  await page.keyboard.press('0');
  const fitted = await zoom();
  await page.keyboard.press('+');
  await expect.poll(zoom).not.toBe(fitted);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('2 of 3')).toBeVisible();
  for (const key of ['n', 'p']) await page.keyboard.press(key);
  await expect(finding).toHaveAttribute('aria-pressed', 'true');

  // Cancelled: the focus returns. Then confirmed.
  await page.keyboard.press('r');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Restart' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(finding).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Restart' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('run 2')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Completed', { timeout: patience });

  const more = page.getByRole('button', { name: `Actions for ${name}` });
  await tabTo(page, more, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await takeEntry(page, 'menuitem', 'Delete');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/sessions/);
});

test('a workflow is created from a template, copied and disabled', { tag: '@night' }, async ({ page }) => {
  await signIn(page, '/workflows');
  await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  await expect(page.getByText('Sample: preflight').first()).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('n');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(`Keys ${mark}`);
  await tabTo(page, dialog.getByRole('radio').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await tabTo(page, dialog.getByRole('button', { name: 'Create the workflow' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Keys ${mark}` })).toBeVisible();

  await page.goto(`/workflows?search=${encodeURIComponent(`Keys ${mark}`)}`);
  const menu = page.getByRole('button', { name: `Actions for Keys ${mark}`, exact: true });
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  await takeEntry(page, 'menuitem', 'Duplicate');
  const copy = page.getByRole('dialog', { name: /Keys/ });
  await expect(copy.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Keys ${mark} (copy)`)).toBeVisible();
  await expect(menu).toBeFocused();

  const takes = page.getByRole('switch', { name: /Sample: preflight/ }).first();
  await page.goto('/workflows?search=Sample');
  await tabTo(page, takes);
  await expect(takes).toBeChecked();
  await page.keyboard.press('Space');
  await expect(takes).not.toBeChecked();
  await page.keyboard.press('Space');
  await expect(takes).toBeChecked();
});

test('a profile is opened by the command palette, created, changed and saved', { tag: '@night' }, async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  for (const [kind, place] of [
    ['Preflight', '/preflight'],
    ['Fix', '/fix'],
    ['Imposition', '/impose'],
  ] as const) {
    const profile = `Keys ${kind} ${mark}`;
    await page.keyboard.press('Control+k');
    const search = page.getByPlaceholder('Search pages, actions, sessions, workflows');
    await expect(search).toBeFocused();
    await page.keyboard.type(kind);
    await expect(page.getByRole('dialog').locator('[data-action]').first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${place}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(kind));
    await page.keyboard.press('n');
    await expect(page).toHaveURL(new RegExp(`${place}/new$`));
    await tabTo(page, page.getByRole('textbox', { name: 'Name', exact: true }));
    await page.keyboard.type(profile);
    if (kind === 'Fix') {
      await tabTo(page, page.getByRole('combobox', { name: 'Add an action' }));
      await page.keyboard.type('Set page boxes');
      await expect(page.getByRole('option', { name: 'Set page boxes' })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Control+s');
    const link = page.getByRole('link', { name: profile });
    await expect(link).toBeVisible();
    await tabTo(page, link);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'Description', exact: true }));
    await page.keyboard.type('Changed by keys');
    await page.keyboard.press('Control+s');
    await expect(link).toBeVisible();
  }

  // The sheet of keys and the palette give the focus back.
  const account = page.getByRole('button', { name: /^Account of/ });
  await tabTo(page, account);
  for (const [keys, dialog] of [
    ['?', page.getByRole('dialog', { name: 'Keyboard shortcuts' })],
    ['Control+k', page.getByPlaceholder('Search pages, actions, sessions, workflows')],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(account).toBeFocused();
  }
});
