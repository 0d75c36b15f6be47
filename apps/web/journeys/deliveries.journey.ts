import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { startTestS3 } from '@pdf2press/storage/testing';
import { expect, type Page } from 'playwright/test';
import { makeDraft, makePublished, stepOf } from './drafting.ts';
import { chooseIn, endsAs, publish, run, step } from './drawing.ts';
import { ask, handIn, patience, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { endsAt, passSftpStages, stage, tryIt } from './stages.ts';
import { openStoreGate } from './store-gate.ts';

const mark = Date.now().toString(36);

async function begin(page: Page, name: string, kind: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: kind }).click();
}

test('a folder is set up and tried, a workflow delivers into it, and the session says where the file lies', async ({
  page,
  context,
}) => {
  test.setTimeout(patience * 2);
  const name = `Press ${mark}`;
  await themeFollows(context);
  await signIn(page, '/delivery');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await begin(page, name, 'Folder of the server');
  await page.getByRole('textbox', { name: 'Folder' }).fill('../away');
  await tryIt(page);
  await expect(stage(page, 'Write a file')).toContainText('failed');
  await expect(stage(page, 'Write a file')).toContainText('outside the folder that is set aside');
  await expect(stage(page, 'Read it back')).toContainText('not reached');
  await looksWell(page);
  await page.getByRole('textbox', { name: 'Folder' }).fill(`press ${mark}`);
  await tryIt(page);
  await expect(page.getByText('The target works')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();

  const id = await makeDraft(page, { name: `Delivers ${mark}`, steps: [stepOf('Inject'), stepOf('Complete')] });
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Complete').click();
  const form = page.getByRole('complementary', { name: 'Complete' });
  const deliveries = form.getByRole('group', { name: 'Deliveries' });
  await deliveries.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('button', { name: /^1 issue/ })).toBeVisible();
  await chooseIn(deliveries, 'Target', name);
  await deliveries.getByRole('textbox', { name: 'Subfolder' }).fill('{{file.nothing}}');
  await expect(form.getByText(/nothing/).first()).toBeVisible();
  await deliveries.getByRole('textbox', { name: 'Subfolder' }).fill('{{workflow.name}}/today');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  await looksWell(page);
  await publish(page);
  await run(page, `card-${mark}.pdf`);
  await endsAs(page, /Completed/);

  await page.getByRole('tab', { name: 'Files' }).click();
  const section = page.getByRole('region', { name: 'Deliveries' });
  const place = `press ${mark}/Delivers ${mark}/today`;
  await expect(section.getByText(`${place}/card-${mark}.pdf`)).toBeVisible({ timeout: patience });
  await expect(section.getByText('Delivered', { exact: false }).first()).toContainText(name);
  await looksWell(page);

  // On purpose once more: it gets another name.
  await section.getByRole('button', { name: /Deliver .* again/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver again' }).click();
  await expect(section.getByText(`${place}/card-${mark} (2).pdf`)).toBeVisible({ timeout: patience });

  await page.goto('/delivery');
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText(`Delivers ${mark}`);
  await looksWell(page);
});

test.describe('with a server of SFTP', () => {
  test.skip(!hasSshd, 'needs sshd');
  let folder: string;
  let server: TestSshd;
  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'delivered-'));
    server = await startTestSshd(path.join(folder, 'ssh'));
  });
  test.afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('its key is taken at the first test, and another one is refused', { tag: '@night' }, async ({
    page,
    context,
  }) => {
    const name = `Server ${mark}`;
    await themeFollows(context);
    await signIn(page, '/delivery/new');
    await begin(page, name, 'SFTP server');
    await page.getByRole('textbox', { name: 'Server', exact: true }).fill(server.host);
    await page.getByRole('textbox', { name: 'Port' }).fill('1');
    await page.getByRole('textbox', { name: 'User name' }).fill(server.username);
    await page.getByRole('textbox', { name: 'Folder' }).fill(folder);
    await page.getByRole('textbox', { name: 'Private key', exact: true }).fill(server.privateKey);
    await tryIt(page);
    await expect(stage(page, 'Look up the name')).toContainText('done');
    await expect(stage(page, 'Connect')).toContainText('failed');
    await expect(stage(page, 'Sign in')).toContainText('not reached');
    await looksWell(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('Key of the server');
    await page.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
    await tryIt(page);
    await expect(page.getByText('The target works')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Key of the server' })).toHaveValue(server.hostKey);
    expect((await readdir(folder)).filter((file) => file.startsWith('.'))).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name }).click();
    // The stored key is not shown, and serves another test.
    await expect(page.getByRole('textbox', { name: 'Private key', exact: true })).toHaveValue('');
    await tryIt(page);
    await expect(page.getByText('The target works')).toBeVisible();
    await server.changeHostKey();
    await tryIt(page);
    await expect(stage(page, 'Connect')).toContainText('shows another key');
  });

  test('each stage of it says why it fails', { tag: '@night' }, async ({ page, context }) => {
    await themeFollows(context);
    await signIn(page, '/delivery/new');
    await begin(page, `Stages ${mark}`, 'SFTP server');
    await passSftpStages(page, server, { folder, connect: 'cannot be reached', looking: 'Write a file' });
    await expect(page.getByText('The target works')).toBeVisible();
  });
});

test('a bucket is tried: each stage says why it fails, and what works is saved', { tag: '@night' }, async ({
  page,
  context,
}) => {
  const port = Number(process.env.RECEIVER_PORT ?? 0);
  const name = `Bucket ${mark}`;
  const kept = await mkdtemp(path.join(os.tmpdir(), 'bucket-stages-'));
  const store = await startTestS3(kept, { buckets: ['press'] });
  await themeFollows(context);
  await signIn(page, '/delivery/new');
  await begin(page, name, 'S3-compatible bucket');
  const address = page.getByRole('textbox', { name: 'Address of the service' });
  const bucket = page.getByRole('textbox', { name: 'Bucket', exact: true });
  await bucket.fill('press');
  await page.getByRole('textbox', { name: 'Access key' }).fill('S3RVER');
  await page.getByLabel('Secret key').fill('S3RVER');
  await address.fill('http://10.1.2.3');
  await endsAt(page, 'Look up the name', 'lies on a private network');
  await address.fill(`http://127.0.0.1:${port}`);
  await endsAt(page, 'Connect', 'cannot be reached');
  const gate = await openStoreGate(store.endpoint, port);
  try {
    await page.getByLabel('Secret key').fill('another secret');
    await endsAt(page, 'Sign in', 'refuses access to “press”');
    await page.getByLabel('Secret key').fill('S3RVER');
    await bucket.fill('nowhere');
    await endsAt(page, 'Sign in', 'no folder or bucket “nowhere”');
    await bucket.fill('press');
    gate.refuse('PUT');
    await endsAt(page, 'Write a file', 'refuses access to “press”');
    gate.refuse('GET', 'damaged');
    await endsAt(page, 'Read it back', 'is not what was sent');
    gate.refuse('DELETE');
    await endsAt(page, 'Remove it', 'refuses access to “press”');
    await looksWell(page);
    gate.refuse();
    await tryIt(page);
    await expect(page.getByText('The target works')).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name })).toBeVisible();
  } finally {
    await gate.stop();
    await store.stop();
    await rm(kept, { recursive: true, force: true });
  }
});

test('a web address is set up and tried, and is sent the file of a session', { tag: '@night' }, async ({
  page,
  context,
}) => {
  const port = Number(process.env.RECEIVER_PORT ?? 0);
  const name = `Own program ${mark}`;
  const calls: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  let status = 500;
  const receiver = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
  try {
    await themeFollows(context);
    await signIn(page, '/delivery/new');
    await begin(page, name, 'Web address (webhook)');
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill(`http://127.0.0.1:${port}/files`);
    await tryIt(page);
    await expect(stage(page, 'Write a file')).toContainText('HTTP 500');
    await looksWell(page);
    status = 204;
    await tryIt(page);
    await expect(page.getByText('The address works: a small test was sent')).toBeVisible();
    expect(calls.at(-1)?.headers['x-test']).toBe('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name })).toBeVisible();

    const { items } = await ask<{ items: { id: string }[] }>(
      page,
      'GET',
      `/profiles/delivery?search=${encodeURIComponent(name)}`,
    );
    const workflow = `Calls ${mark}`;
    await makePublished(page, {
      name: workflow,
      steps: [stepOf('Inject'), stepOf('Complete', { deliveries: [{ targetId: items[0]?.id }] })],
    });
    await page.goto('/workflows/sessions');
    await handIn(page, [{ name: `called-${mark}.pdf`, buffer: makePdf(['Called']) }], workflow);
    await expect
      .poll(() => calls.at(-1)?.headers['content-disposition'], { timeout: patience })
      .toBe(`attachment; filename*=UTF-8''called-${mark}.pdf`);
    expect(calls.at(-1)?.body.subarray(0, 5).toString()).toBe('%PDF-');
  } finally {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  }
});

test('mail addresses are set up; without a mail server the test says so, and a link that does not exist leads nowhere', {
  tag: '@night',
}, async ({ page, context }) => {
  const name = `Customer ${mark}`;
  await themeFollows(context);
  await signIn(page, '/delivery/new');
  await begin(page, name, 'E-mail');
  await page.getByRole('textbox', { name: 'Recipients' }).fill('{{no.such}}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/no\.such/).last()).toBeVisible();
  await looksWell(page);
  await page.getByRole('textbox', { name: 'Recipients' }).fill('press@house.test, {{email.from}}');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Job {{file.name}}');
  await tryIt(page);
  await expect(stage(page, 'Connect')).toContainText('No mail server is set up');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();

  await page.goto(`/delivered/${'A'.repeat(43)}`);
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await looksWell(page);
});
