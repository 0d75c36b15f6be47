import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { expect } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { chooseIn, publish, step } from './drawing.ts';
import { patience, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { endsAt, passSftpStages, stage, tryIt } from './stages.ts';

const mark = Date.now().toString(36);

test.skip(!hasSshd, 'needs sshd');
let folder: string;
let server: TestSshd;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fetched-'));
  server = await startTestSshd(path.join(folder, 'ssh'));
  await mkdir(path.join(folder, 'orders'));
});
test.afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a server is set up and tried stage by stage, a workflow names a folder of it, and a file there arrives', {
  tag: '@night',
}, async ({ page, context }) => {
  test.setTimeout(patience * 3);
  const name = `Files ${mark}`;
  await themeFollows(context);
  await signIn(page, '/sftp-servers');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Server', exact: true }).fill(server.host);
  await page.getByRole('textbox', { name: 'Port' }).fill('1');
  await page.getByRole('textbox', { name: 'User name' }).fill(server.username);
  await page.getByRole('textbox', { name: 'Folder' }).fill(folder);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('a wrong one');
  await endsAt(page, 'Connect', 'Nobody answers');
  await page.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
  await tryIt(page);
  await expect(stage(page, 'Compare the key')).toContainText('done');
  await expect(stage(page, 'Sign in')).toContainText('refuses access');
  await looksWell(page);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('');
  await page.getByRole('textbox', { name: 'Private key', exact: true }).fill(server.privateKey);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Key of the server');
  await tryIt(page);
  await expect(page.getByText('The connection works')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Key of the server' })).toHaveValue(server.hostKey);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();

  const id = await makeDraft(page, { name: `Fetches ${mark}`, steps: [stepOf('Inject'), stepOf('Complete')] });
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Inject').click();
  const form = page.getByRole('complementary', { name: 'Inject' });
  await form.getByRole('combobox', { name: /SFTP folder/ }).click();
  await page.getByRole('option', { name: 'SFTP folder' }).click();
  const place = form.getByRole('group', { name: 'SFTP folder' });
  await chooseIn(place, 'Server', name);
  await place.getByRole('textbox', { name: 'Folder', exact: true }).fill('orders');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  await looksWell(page);
  await publish(page);

  await writeFile(path.join(folder, 'orders', `card-${mark}.pdf`), makePdf(['Fetched']));
  await expect
    .poll(() => readdir(path.join(folder, 'orders/processed')).catch(() => []), { timeout: patience * 2 })
    .toEqual([`card-${mark}.pdf`]);
  await page.goto(`/arrivals?search=card-${mark}`);
  await expect(page.getByText('SFTP folder').first()).toBeVisible();
  await expect(page.getByText(`127.0.0.1/orders`).first()).toBeVisible();

  await page.goto('/sftp-servers');
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText(`Fetches ${mark}`);
  await looksWell(page);
});

test('each stage of the connection to a server says why it fails', { tag: '@night' }, async ({ page, context }) => {
  test.setTimeout(patience * 3);
  await themeFollows(context);
  await signIn(page, '/sftp-servers');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Name').fill(`Stages ${mark}`);
  await passSftpStages(page, server, { folder, connect: 'Nobody answers', looking: 'List the folders' });
  await expect(page.getByText('The connection works')).toBeVisible();
  await expect(field('Key of the server')).toHaveValue(server.hostKey);
  await server.changeHostKey();
  await endsAt(page, 'Compare the key of the server', 'shows another key');
  await looksWell(page);
});
