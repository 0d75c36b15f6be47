import { expect } from 'playwright/test';
import { patience, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';

test('a webhook is made, its secret is shown once and replaced, a test tells why it fails, and it is removed', async ({
  page,
  context,
}) => {
  test.setTimeout(patience);
  const name = `Orders ${Date.now().toString(36)}`;
  await themeFollows(context);
  await signIn(page, '/webhooks');
  await expect(page.getByRole('heading', { name: 'Webhooks', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Address').fill('https://10.0.0.1/events');
  await expect(dialog.getByRole('switch', { name: 'Switched on' })).toBeChecked();
  await dialog.getByRole('button', { name: 'All' }).click();
  await expect(dialog.getByRole('checkbox', { name: 'File received' })).toBeChecked();
  await looksWell(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const secret = dialog.getByText(/^p2w_[\w-]{43}$/);
  const first = await secret.textContent();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('On');
  await expect(row).toContainText('21 events');
  const act = async (label: string) => {
    await row.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: label }).click();
  };
  await act('New secret');
  // What is chosen is seen, in the light theme, too.
  const groundOf = (name: string) =>
    dialog.getByRole('radio', { name, exact: true }).evaluate((radio) => getComputedStyle(radio).backgroundColor);
  expect(await groundOf('24 hours')).not.toBe(await groundOf('1 hour'));
  await dialog.getByRole('radio', { name: '72 hours' }).check();
  await dialog.getByRole('button', { name: 'New secret' }).click();
  await expect(secret).toBeVisible();
  expect(await secret.textContent()).not.toBe(first);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(row).toContainText('The old one signs until');
  await looksWell(page);

  await act('Test');
  await expect(page.getByText(/may not be called from here/)).toBeVisible();
  await act('Calls');
  await expect(dialog).toContainText('Nothing has been called yet.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await act('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
