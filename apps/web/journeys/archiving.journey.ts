import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, confirmChanges, enter, patience, signIn, test, tokenOf } from './house.ts';
import { looksWell, looksWellEverywhere, themeFollows } from './looks.ts';
import { endsAt, stage } from './stages.ts';
import { openStoreGate } from './store-gate.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);
const name = `Kept away ${mark}`;
const file = `Archived ${mark}.pdf`;
const folder = mkdtempSync(path.join(os.tmpdir(), 'archive-journey-'));
let s3: TestS3 | undefined;
test.afterAll(async () => {
  await s3?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Session {
  archiveState: string;
  files: { id: string; kind: string }[];
}

/** The SHA-256 of the session's original as it is downloaded. */
async function hashOf(page: Page, id: string): Promise<string> {
  const { files } = await ask<Session>(page, 'GET', `/sessions/${id}`);
  const original = files.find(({ kind }) => kind === 'OriginalFile')?.id ?? '';
  const answer = await page.request.get(`/api/sessions/${id}/files/${original}`, {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
  });
  expect(answer.status()).toBe(200);
  return createHash('sha256')
    .update(await answer.body())
    .digest('hex');
}

const stateOf = (page: Page, id: string) =>
  expect.poll(async () => (await ask<Session>(page, 'GET', `/sessions/${id}`)).archiveState, { timeout: patience });

test('the archive is tried stage by stage, a policy is made, a session goes there and comes back byte for byte', {
  tag: '@night',
}, async ({ page, context }) => {
  test.setTimeout(patience * 3);
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/archiving');
  await expect(page.getByText('The archive is not set up')).toBeVisible();
  await looksWellEverywhere(page);
  await page.getByRole('link', { name: 'Open the settings' }).click();

  await page.getByRole('switch', { name: 'Archive sessions' }).click();
  const wrongName = page.getByText('A bucket’s name has 3 to 63 lower-case letters');
  await page.getByRole('textbox', { name: 'Bucket' }).pressSequentially('My archive');
  await expect(wrongName.last(), 'while it is typed').toBeVisible();
  await page.getByRole('textbox', { name: 'Bucket' }).fill('archive');
  await expect(wrongName).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Region' }).fill('us-east-1');
  await page.getByRole('textbox', { name: 'Access key' }).fill('S3RVER');
  await page.getByLabel('Secret key').fill('S3RVER');
  const attempt = page.getByRole('button', { name: 'Test the connection' });
  await attempt.click();
  await expect(page.getByText('Archiving Connection Error')).toBeVisible({ timeout: patience });
  await expect(page.getByText('Unable to connect with your config.')).toBeVisible();
  await expect(stage(page, 'Write a file')).toContainText('failed');
  await expect(stage(page, 'Read it back')).toContainText('not reached');
  await looksWellEverywhere(page);

  s3 = await startTestS3(folder, {
    buckets: ['archive', 'long-kept'],
    at: Number(process.env.ARCHIVE_PORT ?? 0),
  });
  await attempt.click();
  await expect(stage(page, 'Remove it')).toContainText('done', { timeout: patience });
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmChanges(page);
  await expect(page.getByText('Saved.', { exact: true }).first()).toBeVisible();

  const workflowId = await makePublished(page, { name, steps: [stepOf('Inject'), stepOf('Complete')] });
  await page.goto('/archiving');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Prefix of the objects' }).fill('no spaces');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/archiving\/new/);
  await page.getByRole('textbox', { name: 'Prefix of the objects' }).fill(`${mark}/{year}`);
  await expect(page.getByText('May hold {year}, {month} and {workflow}.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Bucket' }).pressSequentially('No Bucket');
  await expect(wrongName.last(), 'while it is typed').toBeVisible();
  await page.getByRole('textbox', { name: 'Bucket' }).fill('nowhere');
  await expect(wrongName).toHaveCount(0);
  await attempt.click();
  await expect(stage(page, 'Write a file')).toContainText('failed', { timeout: patience });
  await page.getByRole('textbox', { name: 'Bucket' }).fill('long-kept');
  await attempt.click();
  await expect(stage(page, 'Remove it')).toContainText('done', { timeout: patience });
  await page.getByRole('textbox', { name: 'Access key' }).fill('OTHER');
  await page.getByLabel('Secret key').fill('S3RVER');
  await attempt.click();
  await expect(stage(page, 'Write a file')).toContainText('failed', { timeout: patience });
  await page.getByRole('textbox', { name: 'Access key' }).fill('S3RVER');
  await attempt.click();
  await expect(stage(page, 'Remove it')).toContainText('done', { timeout: patience });
  await page.getByRole('combobox', { name: 'Workflows' }).click();
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await looksWellEverywhere(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();

  const id = await submit(page, workflowId, file);
  await becomes(page, id, /^Completed/);
  const before = await hashOf(page, id);
  await page.goto('/archiving');
  await expect(page.getByText(/session is archived by policies within 30 days/)).toBeVisible();

  await ask(page, 'POST', `/sessions/bulk`, { action: 'archive', ids: [id] });
  await stateOf(page, id).toBe('Archived');
  const kept = (readdirSync(folder, { recursive: true }) as string[]).filter((at) => at.includes(mark));
  expect(new Set(kept.map((at) => at.split(path.sep)[0]))).toEqual(new Set(['long-kept']));
  await page.reload();
  await expect(page.getByRole('region', { name: 'In the archive' })).toContainText('1 session');
  await page.getByRole('link', { name: 'Show archived sessions' }).click();
  const row = page.getByRole('row').filter({ hasText: file });
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: `Actions for ${file}` }).click();
  await page.getByRole('menuitem', { name: 'Unarchive' }).click();
  await stateOf(page, id).toBe('Unarchived');
  expect(await hashOf(page, id)).toBe(before);
});

test('the bucket of a policy is tried: each stage says why it fails', async ({ page, context }) => {
  await themeFollows(context);
  await signIn(page, '/archiving/new');
  await page.getByRole('textbox', { name: 'Bucket' }).fill('archive');
  await page.getByRole('textbox', { name: 'Region' }).fill('us-east-1');
  await page.getByRole('textbox', { name: 'Access key' }).fill('S3RVER');
  await page.getByLabel('Secret key').fill('S3RVER');
  const kept = mkdtempSync(path.join(os.tmpdir(), 'archive-stages-'));
  const store = await startTestS3(kept, { buckets: ['archive'] });
  const gate = await openStoreGate(store.endpoint, Number(process.env.ARCHIVE_PORT ?? 0));
  try {
    await page.getByLabel('Secret key').fill('another secret');
    await endsAt(page, 'Write a file', 'refuses to take an object');
    await page.getByLabel('Secret key').fill('S3RVER');
    gate.refuse('PUT');
    await endsAt(page, 'Write a file', 'refuses to take an object');
    gate.refuse('GET', 'damaged');
    await endsAt(page, 'Read it back', 'does not come back unchanged');
    await looksWell(page);
    gate.refuse('DELETE');
    await endsAt(page, 'Remove it', 'cannot be removed');
    gate.refuse();
    await page.getByRole('button', { name: 'Test the connection' }).click();
    await expect(stage(page, 'Remove it')).toContainText('done');
  } finally {
    await gate.stop();
    await store.stop();
    rmSync(kept, { recursive: true, force: true });
  }
});
