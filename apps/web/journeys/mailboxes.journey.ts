import { type AddressInfo, connect, createServer } from 'node:net';
import { hasDovecot, startDovecot, type TestDovecot } from '@pdf2press/sources/testing';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, patience, rowWith, sampleWorkflow, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { endsAt, endsAtWhile, stage, tryIt } from './stages.ts';

const mark = Date.now().toString(36);
const user = `orders${mark}`;

async function fill(page: Page, { host, port, security }: { host: string; port: number; security: string }) {
  await page.getByLabel('Server', { exact: true }).fill(host);
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: security, exact: true }).click();
  await page.getByLabel('Port').fill(String(port));
  await page.getByLabel('User name').fill(user);
}

/** What a gate before a mail server does: leads to it, breaks off when it is asked for folders, or lets nobody in. */
type GateMode = 'open' | 'noFolders' | 'closed';

interface MailGate {
  port: number;
  set(mode: GateMode): void;
  stop(): void;
}

async function openMailGate(server: TestDovecot): Promise<MailGate> {
  let mode: GateMode = 'open';
  const gate = createServer((near) => {
    if (mode === 'closed') return void near.destroy();
    const far = connect(server.port, '127.0.0.1');
    for (const end of [near, far])
      end.on('error', () => undefined).on('close', () => [near, far].map((one) => one.destroy()));
    near.on('data', (part) =>
      mode === 'noFolders' && / LIST /i.test(String(part)) ? near.destroy() : far.write(part),
    );
    far.pipe(near);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  return {
    port: (gate.address() as AddressInfo).port,
    set: (next) => {
      mode = next;
    },
    stop: () => gate.close(),
  };
}

test('a mailbox whose server cannot be reached says at which stage, and what is missing is asked for', async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await signIn(page, '/email');
  await page.getByRole('link', { name: 'New mailbox' }).first().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Server');
  await fill(page, { host: '127.0.0.1', port: 1, security: 'STARTTLS' });
  await page.getByLabel('Password', { exact: true }).fill('not the one');
  await page.getByRole('switch', { name: 'Accept any certificate' }).check();
  await expect(page.getByRole('note')).toContainText('certificate of the server is not checked');
  await tryIt(page);
  await expect(stage(page, 'Look up the name')).toContainText('done');
  await expect(stage(page, 'Connect')).toContainText('failed');
  await expect(stage(page, 'Sign in')).toContainText('not reached');
  await looksWell(page);
});

test.describe('with a mail server', () => {
  test.skip(!hasDovecot, 'needs dovecot');
  let server: TestDovecot;
  test.beforeAll(async () => {
    server = await startDovecot();
  });
  test.afterAll(() => server.stop());

  test('each stage of its connection says why it fails', { tag: '@night' }, async ({ page, context }) => {
    await themeFollows(context);
    await signIn(page, '/email/new');
    const gate = await openMailGate(server);
    const own = '127.0.0.1';
    const password = page.getByLabel('Password', { exact: true });
    try {
      await fill(page, { host: '10.1.2.3', port: server.port, security: 'TLS' });
      await password.fill('not the one');
      await endsAt(page, 'Look up the name', 'lies on a private network');
      await fill(page, { host: own, port: 1, security: 'TLS' });
      await endsAt(page, 'Connect', 'Nobody answers at this server and port');
      await page.getByLabel('Port').fill(String(server.tlsPort));
      await endsAt(page, 'Encrypt', 'the certificate of the server is not valid');
      await page.getByRole('switch', { name: 'Accept any certificate' }).check();
      await endsAt(page, 'Sign in', 'refuses access');
      await looksWell(page);
      await fill(page, { host: own, port: gate.port, security: 'None' });
      await password.fill(server.password);
      gate.set('noFolders');
      await endsAt(page, 'List the folders', 'Nobody answers at this server and port');
      gate.set('open');
      await page.getByLabel('Folder', { exact: true }).fill('Nowhere');
      await endsAt(page, 'Open the folder', 'no folder “Nowhere”');
      await page.getByLabel('Folder', { exact: true }).fill('INBOX');
      await tryIt(page);
      await expect(page.getByText('The connection works.')).toBeVisible();
    } finally {
      gate.stop();
    }
  });

  test('a mailbox is connected, its mail becomes a session, and the list tells how it does', { tag: '@night' }, async ({
    page,
    context,
  }) => {
    test.setTimeout(patience * 2);
    const name = `Orders ${mark}`;
    const workflow = `By mail ${mark}`;
    await themeFollows(context);
    await signIn(page, '/email');
    const workflowId = await makePublished(page, {
      name: workflow,
      steps: [stepOf('Inject'), stepOf('Complete')],
      variables: [{ name: 'orderNo', type: 'String' }],
    });
    await page.goto('/email/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: workflow }).click();
    await fill(page, { host: '127.0.0.1', port: server.port, security: 'None' });
    await page.getByLabel('Password', { exact: true }).fill('not the one');
    await tryIt(page);
    await expect(stage(page, 'Sign in')).toContainText('failed');
    await page.getByLabel('Password', { exact: true }).fill(server.password);
    await tryIt(page);
    await expect(page.getByText('The connection works.')).toBeVisible();
    // Values by patterns: one that names no variable is told at its field.
    const patterns = page.getByRole('group', { name: 'Patterns' });
    await patterns.getByRole('button', { name: 'Add' }).click();
    await patterns.getByLabel('Pattern', { exact: true }).fill('* Order *');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(patterns).toContainText('The pattern names no variable');
    await patterns.getByLabel('Pattern', { exact: true }).fill('* Order {{ordreNo}}, *');
    await expect(patterns).toContainText('The published workflow has no variable named ordreNo');
    await page.evaluate(() => window.scrollTo(0, 0));
    await looksWell(page);
    await patterns.getByLabel('Pattern', { exact: true }).fill('* Order {{orderNo}}, *');
    await expect(patterns).not.toContainText('no variable named');
    // What lies half below the bar at the top would be too small to hit.
    await page.evaluate(() => window.scrollTo(0, 0));
    await looksWell(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name })).toBeVisible();

    // The stored password is not shown, and serves another test.
    await page.getByRole('link', { name }).click();
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    await tryIt(page);
    await expect(page.getByText('The connection works.')).toBeVisible();
    await page.goto('/email');

    const row = page.getByRole('row').filter({ hasText: name });
    await expect(row).toContainText('Works', { timeout: patience });
    await server.put(user, {
      subject: `Re: order A-${mark}, 500 pieces`,
      attachments: [{ name: `mailed-${mark}.pdf`, content: makePdf(['By mail']) }],
    });
    await expect.poll(async () => (await server.mails(user))[0]?.flags, { timeout: patience }).toEqual(['\\Seen']);
    await server.stop();
    await expect(row).toContainText('cannot be reached', { timeout: patience });
    await expect(row).toContainText('Next try');
    await looksWell(page);
    await page.goto('/workflows/sessions');
    await rowWith(page, `mailed-${mark}.pdf`, 'anna@example.com');
    await page.getByRole('link', { name: `mailed-${mark}.pdf` }).click();
    await page.getByRole('tab', { name: 'Variables' }).click();
    await expect(page.getByText(`A-${mark}`)).toBeVisible();

    // A version without the variable is told in the list, and at the field, where it does not keep the form from being saved.
    const { draft, draftRevision } = await ask<{ draft: object; draftRevision: number }>(
      page,
      'GET',
      `/workflows/${workflowId}`,
    );
    await ask(page, 'PUT', `/workflows/${workflowId}`, {
      ...{ name: workflow, draftRevision },
      draft: { ...draft, variables: [] },
    });
    await ask(page, 'POST', `/workflows/${workflowId}/publish`, {});
    await page.goto('/email');
    await expect(row).toContainText('The published workflow has no variable named orderNo');
    await looksWell(page);
    await page.getByRole('link', { name }).click();
    await expect(patterns).toContainText('The published workflow has no variable named orderNo');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row).toBeVisible();
  });
});

const identityPort = Number(process.env.GOOGLE_PORT ?? 0);

test.describe('with an account of Google', () => {
  test.use({ mayVisit: `http://127.0.0.1:${identityPort}` });
  test.skip(!hasDovecot || !identityPort, 'needs dovecot and the port of the service');
  let identity: CloudServer;
  let server: TestDovecot;
  test.beforeAll(async () => {
    identity = await startCloudServer('GoogleDrive', identityPort);
    server = await startDovecot({ introspection: `${identity.address}/introspect` });
  });
  test.afterAll(async () => {
    await server.stop();
    await identity.stop();
  });

  test('the account consents, a mail becomes a session, and a withdrawn consent is asked for again', {
    tag: '@night',
  }, async ({ page, context }) => {
    test.setTimeout(patience * 3);
    const name = `Gmail ${mark}`;
    const service = async (answer: 'Allow' | 'Deny') => {
      await expect(page).toHaveTitle('Consent');
      await page.getByRole('link', { name: answer }).click();
    };
    await themeFollows(context);
    await signIn(page, '/email/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: sampleWorkflow }).first().click();
    await page.getByRole('combobox', { name: 'Sign in with' }).click();
    await page.getByRole('option', { name: 'Google (Gmail)' }).click();
    await expect(page.getByLabel('Server', { exact: true })).toHaveValue('imap.gmail.com');
    await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
    await fill(page, { host: '127.0.0.1', port: server.port, security: 'None' });
    await page.getByLabel('User name').fill(identity.account);
    await looksWell(page);
    await page.getByRole('button', { name: 'Save and connect' }).click();
    await service('Deny');
    await expect(page.getByRole('alert')).toContainText('access was not granted');
    await looksWell(page);
    await page.getByRole('link', { name: 'Back to the mailboxes' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await expect(row).toContainText('Not connected');

    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Save and connect' }).click();
    await service('Allow');
    await page.waitForURL('**/email/edit/*');
    await expect(page.getByText(`Connected as ${identity.account}`).first()).toBeVisible();
    await tryIt(page);
    await expect(stage(page, 'Access at the service')).toContainText('done');
    await expect(page.getByText('The connection works.')).toBeVisible();
    await looksWell(page);
    await page.goto('/email');
    await expect(row).toContainText('Works', { timeout: patience });
    await server.put(identity.account, {
      attachments: [{ name: `gmail-${mark}.pdf`, content: makePdf(['By an account']) }],
    });
    await expect
      .poll(async () => (await server.mails(identity.account))[0]?.flags, { timeout: patience })
      .toEqual(['\\Seen']);

    identity.revoke();
    await expect(row).toContainText('Needs signing in', { timeout: patience });
    await looksWell(page);
    await row.getByRole('link', { name: 'Connect again' }).click();
    await expect(page.getByRole('alert')).toContainText('Connect it again');
    await page.getByRole('button', { name: 'Connect again' }).click();
    await service('Allow');
    await expect(page.getByText(`Connected as ${identity.account}`).first()).toBeVisible();
    await page.goto('/workflows/sessions');
    await rowWith(page, `gmail-${mark}.pdf`, 'anna@example.com');
  });
});

const microsoftPort = Number(process.env.MICROSOFT_PORT ?? 0);

test.describe('with an account of Microsoft', () => {
  test.use({ mayVisit: `http://127.0.0.1:${microsoftPort}` });
  test.skip(!hasDovecot || !microsoftPort, 'needs dovecot and the port of the service');

  test('each stage of its connection says why it fails, the access first', { tag: '@night' }, async ({
    page,
    context,
  }) => {
    const identity = await startCloudServer('OneDrive', microsoftPort);
    const server = await startDovecot({ introspection: `${identity.address}/introspect` });
    const gate = await openMailGate(server);
    try {
      await themeFollows(context);
      await signIn(page, '/email/new');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Microsoft ${mark}`);
      await page.getByRole('combobox', { name: 'Workflow' }).click();
      await page.getByRole('option', { name: sampleWorkflow }).first().click();
      await page.getByRole('combobox', { name: 'Sign in with' }).click();
      await page.getByRole('option', { name: 'Microsoft 365' }).click();
      await expect(page.getByLabel('Server', { exact: true })).toHaveValue('outlook.office365.com');
      await fill(page, { host: '127.0.0.1', port: gate.port, security: 'None' });
      await page.getByLabel('User name').fill(identity.account);
      await page.getByRole('button', { name: 'Save and connect' }).click();
      await expect(page).toHaveTitle('Consent');
      await page.getByRole('link', { name: 'Allow' }).click();
      await page.waitForURL('**/email/edit/*');
      const busy = { status: 429, headers: { 'retry-after': '7' }, body: '' };
      await endsAtWhile(page, identity, ({ url }) => (url.pathname.endsWith('/token') ? busy : undefined), [
        'Access at the service',
        'asks to wait 7 seconds',
      ]);
      gate.set('closed');
      await endsAt(page, 'Connect', 'Nobody answers at this server and port');
      gate.set('noFolders');
      await endsAt(page, 'List the folders', 'Nobody answers at this server and port');
      gate.set('open');
      const unknown = { status: 200, body: { active: false } };
      await endsAtWhile(page, identity, ({ url }) => (url.pathname === '/introspect' ? unknown : undefined), [
        'Sign in',
        'refuses access',
      ]);
      const folder = page.getByLabel('Folder', { exact: true });
      await folder.fill('Nowhere');
      await endsAt(page, 'Open the folder', 'no folder “Nowhere”');
      await looksWell(page);
      await folder.fill('INBOX');
      await tryIt(page);
      await expect(page.getByText('The connection works.')).toBeVisible();
      identity.revoke();
      await endsAt(page, 'Access at the service', 'Connect it again');
    } finally {
      gate.stop();
      await server.stop();
      await identity.stop();
    }
  });
});

test('a sign-in of a mailbox that was not begun here is not finished', async ({ page, context }) => {
  await themeFollows(context);
  await signIn(page, '/email');
  await page.goto('/email/callback?state=of-somebody-else&code=stolen');
  await expect(page.getByRole('alert')).toContainText('was not begun in this browser');
  expect(page.url()).not.toContain('stolen');
});
