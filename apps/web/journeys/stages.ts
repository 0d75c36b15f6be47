import type { CloudServer } from '@pdf2press/sources/testing-cloud';
import { expect, type Page } from 'playwright/test';
import { looksWell } from './looks.ts';

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

/**
 * Fills in the form of a connection over SFTP step by step: its test fails at each stage in turn, and is run once more with
 * all as it should be. `connect` is what the form says where nothing answers, `looking` the name of the stage that needs the
 * folder.
 */
export async function passSftpStages(
  page: Page,
  server: { host: string; port: number; username: string; privateKey: string },
  { folder, connect, looking }: { folder: string; connect: string; looking: string },
): Promise<void> {
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Server').fill('10.1.2.3');
  await field('User name').fill(server.username);
  await field('Folder').fill(`${folder}/nowhere`);
  await field('Password').fill('a wrong one');
  await endsAt(page, 'Look up the name', 'lies on a private network');
  await field('Server').fill(server.host);
  await field('Port').fill('1');
  await endsAt(page, 'Connect', connect);
  await field('Port').fill(String(server.port));
  await endsAt(page, 'Sign in', 'refuses access');
  await looksWell(page);
  await field('Password').fill('');
  await field('Private key').fill(server.privateKey);
  await endsAt(page, looking, 'no folder');
  await field('Folder').fill(folder);
  await tryIt(page);
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
