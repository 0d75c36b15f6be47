import { expect } from 'playwright/test';
import { enter, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

test('the components are shown as they are, look well in both themes, tell faults and ask questions', async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/test');
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeVisible();
  await looksWellEverywhere(page);

  const fields = page.getByRole('region', { name: 'Fields' });
  await fields.getByRole('button', { name: 'Break the values' }).click();
  await expect(fields.getByRole('textbox', { name: 'Ink', exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(fields.getByText('Value is required')).toBeVisible();
  await fields.getByRole('button', { name: 'Mend the values' }).click();
  await expect(fields.getByRole('textbox', { name: 'Ink', exact: true })).toHaveValue('PANTONE 185 C');
  await fields.getByRole('switch', { name: 'Read only' }).click();
  await expect(fields.getByRole('textbox', { name: 'Ink', exact: true })).toBeDisabled();

  await page.getByRole('button', { name: 'Ask a question' }).click();
  const question = page.getByRole('dialog', { name: 'Delete' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await page.getByRole('button', { name: 'Show a failure' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This is how a sentence looks here.' }).last()).toBeVisible();
});
