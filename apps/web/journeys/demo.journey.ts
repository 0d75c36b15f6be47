import { expect } from 'playwright/test';
import { test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';

test('a visitor without an account is led through the tour on sample data, and nothing is asked of the server', async ({
  page,
  context,
}) => {
  await themeFollows(context);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(`${request.method()} ${request.url()}`);
  });
  await page.goto('/demo');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How a file becomes a print job');
  await expect(page.getByText('nothing is sent and nothing is kept')).toBeVisible();
  await looksWell(page);

  await page.getByRole('button', { name: /^Spring flyer\.pdf/ }).click();
  const findings = page.getByRole('list', { name: 'Preflight and fixes' });
  await findings.getByRole('button', { name: /^Error: No bleed/ }).click();
  await expect(page.locator('[data-finding=bleed]')).toBeVisible();
  await page.getByRole('button', { name: 'Fix what can be fixed' }).click();
  await expect(findings.getByRole('button', { name: /^Fixed:/ })).toHaveCount(2);
  await expect(findings.getByRole('button', { name: /^Error: The picture has 42 ppi/ })).toBeVisible();
  // What is mended is not marked any more.
  await expect(page.locator('[data-finding]')).toHaveCount(0);
  await looksWell(page);

  await page.getByRole('button', { name: 'Next: Workflow' }).click();
  await expect(page.getByText('Impose')).toBeVisible();
  await looksWell(page);

  await page.getByRole('button', { name: 'Next: Proof' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('Approved.');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('status')).toContainText('Declined.');
  await looksWell(page);

  await page.getByLabel('Language').selectOption('fr');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Comment un fichier devient un travail d’impression',
  );
  await page.goto('/demonstration');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked).toEqual([]);
});
