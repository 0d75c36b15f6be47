import type { CloudServer } from '@pdf2press/sources/testing-cloud';
import { expect, type Page } from 'playwright/test';

const stages = (page: Page) => page.getByRole('list', { name: 'Stages of the test' }).getByRole('listitem');

/** A stage of the last test of a connection, with what became of it. */
export const stage = (page: Page, name: string) => stages(page).filter({ hasText: name });

/** Tests the connection that a form holds, and waits for the answer. */
export async function tryIt(page: Page): Promise<void> {
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('-test'));
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await answer;
}

/** Tests the connection: it ends at this stage, which says why; the stages before are done, and those behind are not reached. */
export async function endsAt(page: Page, name: string, why: RegExp | string): Promise<void> {
  await tryIt(page);
  await expect(stage(page, `${name}: failed`)).toContainText(why);
  const told = await stages(page).allTextContents();
  const at = told.findIndex((text) => text.startsWith(`${name}: failed`));
  expect(told.map((text) => /: (done|failed|not reached)/.exec(text)?.[1])).toEqual(
    told.map((_, no) => (no < at ? 'done' : no === at ? 'failed' : 'not reached')),
  );
}

/** Tests the connection while its cloud service answers some questions otherwise; the intake asks it at the same time. */
export async function endsAtWhile(
  page: Page,
  server: CloudServer,
  fault: Parameters<CloudServer['failNext']>[0],
  [name, why]: readonly [string, string],
): Promise<void> {
  let isOver = false;
  server.failNext((question) => (isOver ? undefined : fault(question)), Number.POSITIVE_INFINITY);
  await endsAt(page, name, why);
  isOver = true;
}
