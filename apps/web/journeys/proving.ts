import { type Browser, expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, patience } from './house.ts';
import { themeFollows } from './looks.ts';

interface KeptMail {
  to: string;
  text: string;
}

const onePage = { key: 'PageCount', settings: { max: 1 } };

/** A published workflow that checks every file and asks this person; what is declined is canceled. */
export async function makeProvingWorkflow(
  page: Page,
  email: string,
  settings: object = {},
  checks: readonly object[] = [onePage],
): Promise<string> {
  const mark = `${Date.now()}`;
  const check = { checks };
  const make = async (kind: string, given: object) =>
    (await ask<{ id: string }>(page, 'POST', `/profiles/${kind}`, { name: `Proof ${kind} ${mark}`, settings: given }))
      .id;
  const approvers = [{ kind: 'address', address: email, name: 'Carla Rossi' }];
  return makePublished(page, {
    name: `Proof ${mark}`,
    steps: [
      stepOf('Inject'),
      stepOf('Preflight', { profileId: await make('preflight', check) }),
      stepOf('Proof', { profileId: await make('proofing', { approvers, ...settings }) }),
      stepOf('Complete'),
      stepOf('Cancel', { reason: 'The customer wants changes' }),
    ],
    ways: ['inject done preflight', 'preflight done proof', 'proof Approved complete', 'proof Declined cancel'],
  });
}

/** Addresses of people who are asked, which no other run has; `mark` tells the runs apart. */
export const addressIn = (mark: string) => (name: string) => `${name.toLowerCase()}-${mark}@customer.test`;
/** The approvers of these names, for a proofing profile. */
export const approversOf = (names: readonly string[], addressOf: (name: string) => string) =>
  names.map((name) => ({ kind: 'address', address: addressOf(name), name }));

/** Path of the newest link that was mailed to this address, and is not that of a version before. */
export async function linkFor(page: Page, email: string, before = ''): Promise<string> {
  let link = before;
  await expect
    .poll(
      async () => {
        const mails = await ask<KeptMail[]>(page, 'GET', '/kept-mail');
        const found = mails.map(({ to, text }) =>
          to === email ? /\/client-proofing\/[\w-]+\/[\w-]+/.exec(text) : null,
        );
        link = found.find(Boolean)?.[0] ?? before;
        return link;
      },
      { timeout: patience },
    )
    .not.toBe(before);
  return link;
}

/** The recipient's own browser, which knows nothing of the house. */
export async function readerOf(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport });
  await themeFollows(context);
  return context.newPage();
}

/** The name of the file that is proved. */
export const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
/** The raster of a page is on the screen. */
export const drawn = (page: Page) =>
  expect(page.locator('img[class*=tile]').first()).toBeVisible({ timeout: patience });
