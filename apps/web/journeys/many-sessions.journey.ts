import { expect, type Page } from 'playwright/test';
import { enter, test } from './house.ts';
import { withManySessions } from './many-sessions.ts';
import { tell } from './vitals.ts';

const count = 100_000;

/** Time from the press to the first frame with other rows, by the clock of the page. */
const timeOf = (page: Page, button: string) =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const table = document.querySelector('tbody');
        const before = table?.textContent;
        const from = performance.now();
        const look = () => {
          const isOther = document.querySelector('tbody')?.textContent !== before;
          if (isOther) requestAnimationFrame(() => resolve(performance.now() - from));
          else requestAnimationFrame(look);
        };
        document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click();
        look();
      }),
    button,
  );

test(`the pages of ${count} sessions are changed, searched and filtered`, async ({ page, context }) => {
  test.skip(!process.env.DATABASE_URL, 'DATABASE_URL does not say where the sessions lie');
  await withManySessions(count, async () => {
    await enter(page, context);
    await page.goto('/workflows/sessions');
    await expect(page.getByText(/of 100,0\d\d/)).toBeVisible();
    // The numbers of pages come a moment after the rows.
    await expect(page.getByRole('button', { name: 'Next page' })).toBeEnabled();
    const times: number[] = [];
    for (const button of [
      'Next page',
      'Next page',
      'Next page',
      'Previous page',
      'Last page',
      'First page',
      'Next page',
    ]) {
      times.push(await timeOf(page, button));
    }
    tell('page change', times);

    // A search and a filter over all of them, too.
    await page.getByLabel('Search files and ids').fill('job-abc');
    await expect(page.getByRole('row').nth(1)).toContainText('job-abc');
    await page.getByLabel('Search files and ids').fill('');
    await page
      .getByRole('button', { name: /^Failed/ })
      .first()
      .click();
    await expect(page.getByText(/of 25,0\d\d/)).toBeVisible();
  });
});
