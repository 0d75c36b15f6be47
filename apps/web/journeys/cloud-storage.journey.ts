import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, patience, rowWith, sampleWorkflow, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { endsAt, endsAtWhile, tryIt } from './stages.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);
const services = [
  { provider: 'GoogleDrive', label: 'Google Drive', port: Number(process.env.GOOGLE_PORT ?? 0) },
  { provider: 'OneDrive', label: 'OneDrive', port: Number(process.env.MICROSOFT_PORT ?? 0) },
] as const;

type Question = Parameters<Parameters<CloudServer['failNext']>[0]>[0];

/** The service asks to wait. */
const busy = () => ({ status: 429, headers: { 'retry-after': '9' }, body: {} });

/** At the service's own page. */
async function answerConsent(page: Page, answer: 'Allow' | 'Deny'): Promise<void> {
  await expect(page).toHaveTitle('Consent');
  await page.getByRole('link', { name: answer }).click();
}

const connected = (page: Page) => page.getByText('Connected as anna@example.com').first();

// The screens are the same for both; the services themselves are told apart by the tests of the intake.
for (const { provider, label, port } of services)
  test.describe(label, { tag: provider === 'GoogleDrive' ? [] : '@night' }, () => {
    test.use({ mayVisit: `http://127.0.0.1:${port}` });
    test.skip(!port, 'the ports of the cloud services are not said');
    let server: CloudServer;
    test.beforeAll(async () => {
      server = await startCloudServer(provider, port);
      const orders = server.world.addFolder('Orders');
      server.world.addFolder('ACME', orders);
    });
    test.afterAll(() => server.stop());

    test('an account is connected, a folder is chosen in its tree, and a file in it becomes a session', {
      tag: '@night',
    }, async ({ page, context }) => {
      test.setTimeout(patience * 3);
      const name = `${provider} ${mark}`;
      await themeFollows(context);
      await signIn(page, '/cloud-storage/new');
      await page.getByRole('button', { name: 'Save and connect' }).click();
      await expect(page.getByText('Value is required').first()).toBeVisible();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await page.getByRole('combobox', { name: 'Service' }).click();
      await page.getByRole('option', { name: label, exact: true }).click();
      await looksWell(page);
      await page.getByRole('button', { name: 'Save and connect' }).click();
      await answerConsent(page, 'Deny');
      await expect(page.getByRole('alert')).toContainText('access was not granted');
      await looksWell(page);
      await page.getByRole('link', { name: 'Back to cloud storage' }).click();
      const row = page.getByRole('row').filter({ hasText: name });
      await expect(row).toContainText('Not connected');

      await page.getByRole('link', { name }).click();
      await page.getByRole('button', { name: 'Save and connect' }).click();
      await answerConsent(page, 'Allow');
      await page.waitForURL('**/cloud-storage/edit/*');
      await expect(connected(page)).toBeVisible();

      await page.getByRole('button', { name: 'Choose a folder' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose a folder' });
      await expect(dialog.getByRole('button', { name: 'Choose this folder' })).toBeDisabled();
      await dialog.getByRole('list', { name: 'Folders in here' }).getByRole('button', { name: 'Own drive' }).click();
      await dialog.getByRole('button', { name: 'Orders' }).click();
      await expect(dialog.getByRole('button', { name: 'ACME' })).toBeVisible();
      await looksWell(page);
      await dialog.getByRole('button', { name: 'Choose this folder' }).click();
      const folder = page.getByRole('group', { name: 'Orders' });
      await folder.getByRole('combobox', { name: 'Workflow' }).click();
      await page.getByRole('option', { name: sampleWorkflow }).first().click();
      await page.getByRole('textbox', { name: 'Unchanged for' }).fill('0');
      await page.getByRole('button', { name: 'Test the connection' }).click();
      await expect(page.getByText('The connection works.')).toBeVisible();
      await looksWell(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();

      await expect(row).toContainText('Works', { timeout: patience });
      await expect(row).toContainText('anna@example.com');
      const [orders] = server.world.childrenOf(server.world.rootOf());
      server.world.addFile(`cloud-${provider}-${mark}.pdf`, makePdf(['From the cloud']), orders?.id);
      await expect.poll(() => server.world.namesIn(orders?.id), { timeout: patience }).toEqual(['ACME', 'processed']);

      // One that is not taken says why: beside it, and where it is connected.
      const offer = `offer-${mark}.docx`;
      server.world.addFile(offer, 'x', orders?.id);
      const aside = () => server.world.childrenOf(orders?.id ?? '').find((entry) => entry.name === 'rejected')?.id;
      await expect
        .poll(() => (aside() ? server.world.namesIn(aside()) : []), { timeout: patience })
        .toEqual([offer, `${offer}.txt`]);
      await page.getByRole('link', { name }).click();
      const notTaken = page.getByRole('list', { name: 'Not taken' });
      await expect(notTaken).toContainText(offer);
      await expect(notTaken).toContainText('PDF');
      await notTaken.scrollIntoViewIfNeeded();
      await looksWell(page);
      await expect(page.getByRole('link', { name: 'All that was not taken' })).toBeVisible();

      // What is made of a file goes out into another folder of the account.
      const target = `Into ACME ${provider} ${mark}`;
      await page.goto('/delivery/new');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(target);
      await page.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'Google Drive or OneDrive' }).click();
      await expect(page.getByText('Choose the cloud storage first.')).toBeVisible();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Value is required').first()).toBeVisible();
      await page.getByRole('combobox', { name: 'Cloud storage' }).click();
      await page.getByRole('option', { name }).click();
      await page.getByRole('button', { name: 'Choose folder' }).click();
      await dialog.getByRole('button', { name: 'Own drive' }).click();
      await dialog.getByRole('button', { name: 'Orders' }).click();
      await dialog.getByRole('button', { name: 'ACME' }).click();
      await expect(dialog.getByText('There are no folders in here.')).toBeVisible();
      await dialog.getByRole('button', { name: 'Choose this folder' }).click();
      await expect(page.getByText('Orders/ACME')).toBeVisible();
      await page.getByRole('button', { name: 'Test the connection' }).click();
      await expect(page.getByText('The target works')).toBeVisible();
      await looksWell(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByRole('link', { name: target })).toBeVisible();
      const { items: targets } = await ask<{ items: { id: string; name: string }[] }>(
        page,
        'GET',
        `/profiles/delivery?search=${target}`,
      );
      const delivers = await makePublished(page, {
        name: target,
        steps: [stepOf('Inject'), stepOf('Complete', { deliveries: [{ targetId: targets[0]?.id }] })],
      });
      await becomes(page, await submit(page, delivers, `Goes ${mark}.pdf`), /^Completed$/);
      const acme = server.world.childrenOf(orders?.id ?? '').find((entry) => entry.name === 'ACME');
      await expect.poll(() => server.world.namesIn(acme?.id), { timeout: patience }).toEqual([`Goes ${mark}.pdf`]);

      server.revoke();
      await page.goto('/cloud-storage');
      await expect(row).toContainText('Needs signing in', { timeout: patience });
      await looksWell(page);
      await row.getByRole('link', { name: 'Connect again' }).click();
      await expect(page.getByRole('alert')).toContainText('Connect it again');
      await page.getByRole('button', { name: 'Connect again' }).click();
      await answerConsent(page, 'Allow');
      await expect(connected(page)).toBeVisible();
      await page.goto('/cloud-storage');
      await expect(row).toContainText('Works', { timeout: patience });
      await page.goto('/workflows/sessions');
      await rowWith(page, `cloud-${provider}-${mark}.pdf`, 'Orders');
    });

    test('the account and a folder that is delivered into are tried: each stage says why it fails', async ({
      page,
      context,
    }) => {
      const name = `Stages ${provider} ${mark}`;
      await themeFollows(context);
      await signIn(page, '/cloud-storage/new');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await page.getByRole('combobox', { name: 'Service' }).click();
      await page.getByRole('option', { name: label, exact: true }).click();
      await page.getByRole('button', { name: 'Save and connect' }).click();
      await answerConsent(page, 'Allow');
      await page.waitForURL('**/cloud-storage/edit/*');
      await page.getByRole('button', { name: 'Choose a folder' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose a folder' });
      await dialog.getByRole('list', { name: 'Folders in here' }).getByRole('button', { name: 'Own drive' }).click();
      await dialog.getByRole('button', { name: 'Orders' }).click();
      await dialog.getByRole('button', { name: 'Choose this folder' }).click();
      await page.getByRole('group', { name: 'Orders' }).getByRole('combobox', { name: 'Workflow' }).click();
      await page.getByRole('option', { name: sampleWorkflow }).first().click();
      const orders = server.world.childrenOf(server.world.rootOf()).find((entry) => entry.name === 'Orders');
      if (!orders) throw new Error('the folder is gone');
      const isOfAccount = ({ url }: Question) => (/\/(about|me\/drive)$/.test(url.pathname) ? busy() : undefined);
      await endsAtWhile(page, server, isOfAccount, ['Sign in', 'asks to wait 9 seconds']);
      const denied = { status: 403, body: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } } };
      const isOfFolders = ({ url }: Question) =>
        url.searchParams.has('q') || url.pathname.endsWith('/children') ? denied : undefined;
      await endsAtWhile(page, server, isOfFolders, ['List the folders', 'refuses access']);
      orders.isGone = true;
      await endsAt(page, 'Open the folder', 'no folder “Orders”');
      await looksWell(page);
      orders.isGone = false;
      await tryIt(page);
      await expect(page.getByText('The connection works.')).toBeVisible();

      await page.goto('/delivery/new');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await page.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'Google Drive or OneDrive' }).click();
      await page.getByRole('combobox', { name: 'Cloud storage' }).click();
      await page.getByRole('option', { name }).click();
      await page.getByRole('button', { name: 'Choose folder' }).click();
      await dialog.getByRole('button', { name: 'Own drive' }).click();
      await dialog.getByRole('button', { name: 'Orders' }).click();
      await dialog.getByRole('button', { name: 'Choose this folder' }).click();
      orders.isGone = true;
      await endsAt(page, 'Sign in', 'no folder or bucket');
      orders.isGone = false;
      const isOfUpload = ({ url }: Question) =>
        /\/upload\/|createUploadSession$/.test(url.pathname) ? busy() : undefined;
      await endsAtWhile(page, server, isOfUpload, ['Write a file', 'too many requests']);
      const isOfBytes = ({ url }: Question) =>
        url.searchParams.get('alt') === 'media' || url.pathname.startsWith('/download/')
          ? { status: 200, body: 'other bytes' }
          : undefined;
      // Where the service tells no sum, the file is read once more while it is written.
      const readAt = provider === 'GoogleDrive' ? 'Read it back' : 'Write a file';
      await endsAtWhile(page, server, isOfBytes, [readAt, 'is not what was sent']);
      const isOfRemoval = ({ method, body }: Question) =>
        method === 'DELETE' || (method === 'PATCH' && body.includes('trashed')) ? busy() : undefined;
      await endsAtWhile(page, server, isOfRemoval, ['Remove it', 'too many requests']);
      await looksWell(page);
      await tryIt(page);
      await expect(page.getByText('The target works')).toBeVisible();
      server.revoke();
      await endsAt(page, 'Sign in', 'is not connected');
    });
  });

test('what was not begun here is not finished', async ({ page, context }) => {
  await themeFollows(context);
  await signIn(page, '/cloud-storage');
  await page.goto('/cloud-storage/callback?state=of-somebody-else&code=stolen');
  await expect(page.getByRole('alert')).toContainText('was not begun in this browser');
  expect(page.url()).not.toContain('stolen');
});
