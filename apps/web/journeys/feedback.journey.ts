import { expect } from 'playwright/test';
import { ask, enter, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

test('feedback goes with a picture and the page to the address of the settings, which is asked for first', {
  tag: '@night',
}, async ({ page, context }) => {
  const before = await ask<object>(page, 'GET', '/SystemSettings');
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/arrivals?search=card');
  await page.getByRole('link', { name: 'Feedback' }).click();
  await expect(page.getByRole('heading', { name: 'No address is set' })).toBeVisible();
  await looksWellEverywhere(page);

  await ask(page, 'PUT', '/SystemSettings', { ...before, feedbackSettings: { email: 'product@example.com' } });
  try {
    await page.goto('/arrivals?search=card');
    await page.getByRole('link', { name: 'Feedback' }).click();
    await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('/arrivals?search=card');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Value is required').first()).toBeVisible();
    await page.getByRole('textbox', { name: 'Your words' }).fill('The list could be longer.');
    const chosen = page.locator('input[type=file]').last();
    await chosen.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await expect(page.getByText('This file is not a picture that can be read.')).toBeVisible();
    await chosen.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
    await expect(page.getByRole('img', { name: 'The picture that is sent' })).toBeVisible();
    await looksWellEverywhere(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Thank you. Your feedback is on its way.')).toBeVisible();
    await expect(page).toHaveURL(/\/arrivals\?search=card$/);
    const kept = () => ask<{ to: string; text: string }[]>(page, 'GET', '/kept-mail');
    await expect.poll(async () => (await kept()).some(({ to }) => to === 'product@example.com')).toBe(true);
    const text = (await kept()).find(({ to }) => to === 'product@example.com')?.text;
    expect(text).toContain('The list could be longer.');
    expect(text).toContain('Page: /arrivals?search=card');
  } finally {
    await ask(page, 'PUT', '/SystemSettings', before);
  }
});
