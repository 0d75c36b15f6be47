import { test as base, expect, type Page } from 'playwright/test';

/** The administrator that the product under test was started with. */
export const administrator = {
  email: process.env.ADMIN_EMAIL ?? 'admin@pdf2press.test',
  password: process.env.ADMIN_PASSWORD ?? 'Proof-4-Press!',
};

/** What every journey holds: nothing is asked of another host, no policy is broken, nothing falls over. */
export const test = base.extend<{ watched: undefined }>({
  watched: [
    async ({ page, baseURL }, use) => {
      const faults: string[] = [];
      const own = new URL(baseURL ?? '').origin;
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (!['data:', 'blob:'].includes(protocol) && origin !== own)
          faults.push(`asked another host: ${request.url()}`);
      });
      page.on('pageerror', (error) => faults.push(`fell over: ${error.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted Type/i.test(message.text())) faults.push(`policy: ${message.text()}`);
      });
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export async function signIn(page: Page, to = '/workflows/sessions'): Promise<void> {
  await page.goto(to);
  await page.getByLabel('E-mail').fill(administrator.email);
  await page.getByLabel('Password', { exact: true }).fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Hands files in through the drawer. */
export async function handIn(page: Page, files: readonly { name: string; buffer: Buffer }[]): Promise<void> {
  await page.getByRole('button', { name: 'New session' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'New session' });
  await drawer
    .locator('input[type=file]')
    .setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/pdf' })));
  await drawer.getByRole('button', { name: /^Hand in/ }).click();
  await expect(drawer).toBeHidden();
}
