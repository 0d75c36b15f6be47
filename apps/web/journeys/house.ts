import { type BrowserContext, test as base, expect, type Page } from 'playwright/test';

/** The administrator of the product under test. The first test creates it, unless it exists. */
export const administrator = {
  email: process.env.ADMIN_EMAIL ?? 'admin@pdf2press.test',
  password: process.env.ADMIN_PASSWORD ?? 'Proof-4-Press!',
};

/** Time limit for work of the worker: much longer than it takes, because the machine may be slow. */
export const patience = 180_000;

const ignoredProtocols = ['data:', 'blob:'];

/** Checked in every test: no request to another host, no violation of the security policy, no script error. */
export const test = base.extend<{ watched: undefined; mayVisit: string }>({
  /** The origin of another site that the test is led to, and back from. */
  mayVisit: ['', { option: true }],
  watched: [
    async ({ page, context, baseURL, mayVisit }, use) => {
      const faults: string[] = [];
      const own = new URL(baseURL ?? '').origin;
      context.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        const isVisit = origin === mayVisit && request.isNavigationRequest();
        if (!ignoredProtocols.includes(protocol) && origin !== own && !isVisit)
          faults.push(`asked another host: ${request.url()}`);
      });
      page.on('pageerror', (error) => faults.push(`fell over: ${error.message}`));
      // Every report that the browser would send to the server, in every tab.
      await context.exposeFunction('policyBroken', (text: string) => faults.push(`policy: ${text}`));
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
          (window as unknown as { policyBroken: (text: string) => void }).policyBroken(
            `${violatedDirective} ${blockedURI} in ${sourceFile}`,
          );
        });
      });
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export async function signIn(page: Page, to = '/workflows/sessions', who = administrator): Promise<void> {
  await page.goto(to);
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** An access token for API calls outside the browser. */
export async function tokenOf(page: Page, who = administrator): Promise<string> {
  const answer = await page.request.post('/api/TokenAuth/login', { data: who });
  const { result } = (await answer.json()) as { result: { authToken: string } };
  return result.authToken;
}

/** Calls the API as the administrator, outside the browser. */
export async function ask<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const answer = await page.request.fetch(`/api${path}`, { method, headers, ...(data ? { data } : {}) });
  const { success, result, errors } = (await answer.json()) as { success: boolean; result: T; errors: unknown };
  if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
  return result;
}

/** Signs in without the form by setting the cookie and the mark that it exists. */
export async function enter(page: Page, context: BrowserContext): Promise<void> {
  await page.request.post('/api/TokenAuth/login', { data: { ...administrator, useCookie: true } });
  // An empty page has no storage.
  await context.addInitScript(() => origin === 'null' || localStorage.setItem('pdf2press-signed-in', 'true'));
}

/** In the dialog that shows what saving the settings changes: saves. */
export async function confirmChanges(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^\d+ changes?$/ });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

/** The sample workflow of a new installation. */
export const sampleWorkflow = /^Sample: preflight/;

type HandedIn = { name: string; buffer: Buffer } | string;

/** Submits files through the drawer: created here, or from the disk. */
export async function handIn(
  page: Page,
  files: readonly HandedIn[],
  workflow: RegExp | string = sampleWorkflow,
): Promise<void> {
  await page.getByRole('button', { name: 'New session' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'New session' });
  const input = drawer.locator('input[type=file]');
  const made = files.flatMap((file) => (typeof file === 'string' ? [] : [{ ...file, mimeType: 'application/pdf' }]));
  if (made.length > 0) await input.setInputFiles(made);
  else await input.setInputFiles(files.filter((file) => typeof file === 'string'));
  // Other tests have created more workflows.
  await drawer.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: workflow }).first().click();
  await drawer.getByRole('button', { name: /^Submit/ }).click();
  await expect(drawer).toBeHidden();
}

/** The row of a session in the list; what is new is shown first. */
export async function rowWith(page: Page, name: string, status: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(async () => {
    const news = page.getByRole('button', { name: /new session/ });
    if (await news.isVisible()) await news.click();
    await expect(row).toContainText(status, { timeout: 500 });
  }).toPass({ timeout: patience });
}
