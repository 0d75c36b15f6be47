import { expect, type Page } from 'playwright/test';
import { enter, test } from './house.ts';
import { withManySessions } from './many-sessions.ts';
import { loads, median, quiet, tell, type Vitals, vitalsOf, watchVitals } from './vitals.ts';

/** Of the processor, while the pages are measured. */
const slowdown = 4;
/** A share of the screen, no time: the same on every machine. */
const mostShift = 0.02;

interface Measured {
  name: string;
  path: string;
  isPublic?: boolean;
  /** Additional sessions, more than one page. */
  sessions?: number;
  /** What a visitor does first; by keys and clicks, so that there are interactions to measure. */
  act: (page: Page) => Promise<void>;
}
const measured: readonly Measured[] = [
  {
    name: 'sign in',
    path: '/login',
    isPublic: true,
    act: async (page) => {
      await page.getByLabel('E-mail').pressSequentially('ann@example.com');
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
  },
  {
    name: 'sessions',
    path: '/workflows/sessions',
    sessions: 60,
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await page.getByRole('button', { name: 'Status' }).first().click();
      await page.keyboard.press('Escape');
      await page.getByLabel('Search files and ids').pressSequentially('pdf');
    },
  },
];

/** The present page as a static document: the same styles, fonts and images, without scripts. */
async function plainCopy(page: Page): Promise<string> {
  const html = await page.content();
  return html.replaceAll(/<script[\s\S]*?<\/script>|<link[^>]*modulepreload[^>]*>/g, '');
}

for (const { name, path, isPublic, sessions = 0, act } of measured) {
  test(`${name}: layout does not shift; paint time and response time are recorded`, async ({ page, context }) => {
    if (!isPublic) await enter(page, context);
    await watchVitals(page);
    const line = await context.newCDPSession(page);
    await line.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const seen: Vitals[] = [];
    const plain: number[] = [];
    await withManySessions(sessions, async () => {
      for (let load = 0; load < loads; load += 1) {
        seen.push(await vitalsOf(page, path, act));
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        // Requests after the rows are still running: leaving now would abort them.
        await quiet(page);
        const body = await plainCopy(page);
        await page.route('**/plain-copy', (route) => route.fulfill({ contentType: 'text/html', body }));
        plain.push((await vitalsOf(page, '/plain-copy')).LCP);
        await page.unroute('**/plain-copy');
      }
    });
    for (const key of ['LCP', 'CLS', 'INP', 'long task'] as const) {
      tell(
        `${name}: ${key}`,
        seen.map((one) => one[key]),
      );
    }
    tell(`${name}: LCP of a plain copy`, plain);
    expect(median(seen.map(({ CLS }) => CLS))).toBeLessThanOrEqual(mostShift);
  });
}
