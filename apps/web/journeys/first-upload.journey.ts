import { type Browser, expect, type Page } from 'playwright/test';
import { newWorkflow, publish } from './drawing.ts';
import { patience, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

/* By screens alone: a customer whom the house does not know yet, until their first file is there. */

const mark = Date.now().toString(36);
const customer = `Bakery ${mark}`;
const workflow = `Cards of ${customer}`;
const fileName = `card-${mark}.pdf`;
const member = { email: `baker-${mark}@example.com`, password: 'Right-0ne!' };

async function browserOf(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await themeFollows(context);
  return context.newPage();
}

/** Somebody of the customer, whose password the house chooses. */
async function makeMember(page: Page): Promise<void> {
  await page.goto('/user/new');
  await page.getByLabel('First name').fill('Bea');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(member.email);
  await page.getByLabel('New password').fill(member.password);
  await page.getByLabel('Repeat the password').fill(member.password);
  await page.getByRole('switch', { name: 'Send an activation e-mail' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/user$/);
}

test('a new customer: their organization, their workflow, their page, and their first file is a session of theirs', {
  tag: '@night',
}, async ({ page, browser }) => {
  await signIn(page, '/user');
  await makeMember(page);

  await page.goto('/organization/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(customer);
  await page.getByRole('combobox', { name: 'Users' }).click();
  await page.getByRole('option', { name: new RegExp(member.email) }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'Bea sees only own organizations' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/organization$/);

  // Their workflow is for them alone.
  await newWorkflow(page, workflow, 'Empty', customer);
  await expect(page.getByText(customer, { exact: true })).toBeVisible();
  await publish(page);

  // Their page takes files for it.
  await page.goto(`/organization?search=${mark}`);
  const row = page.getByRole('row').filter({ hasText: customer });
  await expect(row).toContainText('None');
  await row.getByRole('link', { name: customer }).click();
  await page.getByRole('switch', { name: 'The page is open' }).check();
  await page.getByRole('textbox', { name: /^Address/ }).fill(`bakery-${mark}`);
  await page.getByRole('combobox', { name: 'Workflows' }).click();
  await page.getByRole('option', { name: workflow }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Public');
  await row.getByRole('link', { name: customer }).click();
  const address = (await page.getByRole('link', { name: `/upload/bakery-${mark}` }).getAttribute('href')) ?? '';

  // A telephone that knows nothing of the house.
  const there = await browserOf(browser);
  await there.goto(new URL(address).pathname);
  await expect(there.getByRole('heading', { level: 1, name: `Send files to ${customer}` })).toBeVisible();
  await there
    .locator('input[type=file]')
    .setInputFiles({ name: fileName, mimeType: 'application/pdf', buffer: makePdf(['Bread', 'Cake']) });
  await there.getByRole('textbox', { name: 'Name' }).fill('Bea Baker');
  await there.getByRole('textbox', { name: 'E-mail' }).fill(member.email);
  await there.getByRole('button', { name: 'Send 1 file' }).click();
  await expect(there.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible({ timeout: patience });
  const reference = (await there.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()) ?? '';
  expect(await axeFaults(there)).toEqual([]);

  // The house finds it by the reference, as a file of this customer.
  await page.goto(`/workflows/sessions?search=${reference}`);
  const session = page.getByRole('row').filter({ hasText: fileName });
  await expect(session).toContainText('Completed', { timeout: patience });
  await expect(session).toContainText(customer);
  await expect(session).toContainText(workflow);

  // Their own account sees this file and no other.
  await there.setViewportSize({ width: 1440, height: 900 });
  await signIn(there, '/workflows/sessions', member);
  await expect(there.getByRole('row').filter({ hasText: fileName })).toBeVisible();
  await expect(there.getByRole('checkbox', { name: /^Select .*\.pdf/ })).toHaveCount(1);
  await there.context().close();
});
