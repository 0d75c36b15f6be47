import { expect, type Page } from 'playwright/test';
import { ask, enter, patience, test } from './house.ts';
import { looksWell } from './looks.ts';

const mark = Date.now().toString(36);

/**
 * The lists that are tables, by their addresses, but for those with journeys of their own; of profiles with the settings that two of
 * them are made with first.
 */
const lists: readonly { path: string; kind?: string; settings?: object }[] = [
  { path: '/preflight', kind: 'preflight' },
  { path: '/fix', kind: 'fix' },
  { path: '/impose', kind: 'impose', settings: { type: 'StepnRepeat' } },
  { path: '/proofing', kind: 'proofing' },
  { path: '/communication', kind: 'communication' },
  { path: '/rename', kind: 'renaming', settings: { pattern: '{{file.name}}' } },
  { path: '/retention', kind: 'retention' },
  { path: '/archiving', kind: 'archiving' },
  { path: '/cloud-storage', kind: 'cloudStorage', settings: { provider: 'OneDrive' } },
  {
    path: '/email',
    kind: 'inboundEmail',
    settings: { host: 'mail.example.com', username: 'a', password: 'b', workflowId: 'wfl_none' },
  },
  { path: '/delivery', kind: 'delivery', settings: { kind: 'folder', path: 'out' } },
  {
    path: '/sftp-servers',
    kind: 'sftpServer',
    settings: { host: 'sftp.example.com', username: 'a', password: 'b', hostKey: `SHA256:${'a'.repeat(43)}` },
  },
  { path: '/user' },
  { path: '/role' },
];

/** Presses the head of each column twice: the address, the arrow and the first page follow. */
async function sortByEachColumn(page: Page): Promise<void> {
  const heads = page.getByRole('columnheader');
  const count = await heads.count();
  expect(count).toBeGreaterThan(1);
  for (let at = 0; at < count; at += 1) {
    const head = heads.nth(at);
    const label = (await head.textContent()) ?? '';
    if (label === 'Actions') continue;
    const button = head.getByRole('button');
    await expect(button, `${label} sorts`).toHaveCount(1);
    // The list comes sorted by its first column.
    if (at > 0) {
      await button.click();
      await expect(head).toHaveAttribute('aria-sort', 'ascending');
      await expect(page).toHaveURL(/[?&]sort=\w+/);
    }
    await button.click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(page).toHaveURL(/[?&]direction=desc/);
    await expect(page.locator('th[aria-sort]:not([aria-sort="none"])')).toHaveCount(1);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
  }
}

test('every list is sorted by each of its columns, both ways, and the address keeps it', { tag: '@night' }, async ({
  page,
  context,
}) => {
  test.setTimeout(patience * 4);
  await enter(page, context);
  for (const { path, kind, settings = {} } of lists)
    await test.step(path, async () => {
      for (const name of kind ? [`a ${mark}`, `b ${mark}`] : [])
        await ask(page, 'POST', `/profiles/${kind}`, { name, settings });
      await page.goto(path);
      await expect(page.getByRole('columnheader').first()).toBeVisible({ timeout: patience });
      await sortByEachColumn(page);
      if (!kind) return;
      await page.goto(`${path}?search=${mark}&sort=name&direction=desc`);
      const links = page.getByRole('row').getByRole('link', { name: mark });
      await expect(links.first(), 'a bookmark shows the same').toHaveText(`b ${mark}`);
      await expect(links.last()).toHaveText(`a ${mark}`);
    });
  await looksWell(page);
});

test('users are narrowed to how they stand and to their roles, companies to how they stand, in the address', async ({
  page,
  context,
}) => {
  await enter(page, context);
  const role = `Cutters ${mark}`;
  const { id: roleId } = await ask<{ id: string }>(page, 'POST', '/roles', { name: role, permissions: [] });
  const person = { sendActivationEmail: false, roleIds: [roleId] };
  for (const [firstName, isActive] of [
    ['Awake', true],
    ['Asleep', false],
  ] as const)
    await ask(page, 'POST', '/users', { ...person, firstName, isActive, email: `${firstName}-${mark}@example.com` });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await page.goto(`/user?search=${mark}`);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Inactive' }).click();
  await expect(page).toHaveURL(/states=inactive/);
  await expect(row('Awake')).toHaveCount(0);
  await expect(row('Asleep')).toBeVisible();
  await page.getByRole('option', { name: 'Inactive' }).click();
  await expect(row('Awake')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto('/user');
  await page.getByRole('combobox', { name: 'Roles' }).click();
  await page.getByRole('option', { name: role }).click();
  await expect(page).toHaveURL(new RegExp(`roleIds=${roleId}`));
  await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await looksWell(page);

  await page.goto('/host');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Suspended' }).click();
  await expect(page).toHaveURL(/states=suspended/);
  await expect(page.getByRole('row').filter({ hasText: 'Active' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await looksWell(page);
});
