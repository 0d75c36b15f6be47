import { expect } from 'playwright/test';
import { ask, enter, test } from './house.ts';
import { isSound } from './looks.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);

interface Recorded {
  records: { record: { decision: string; pages: { page: number; decision: string; reason: string }[] } }[];
}
const pagesOf = async (page: Parameters<typeof ask>[0], id: string) =>
  (await ask<Recorded[]>(page, 'GET', `/sessions/${id}/proofs`)).map(({ records }) =>
    records.map(({ record: { decision, pages } }) => [
      decision,
      ...pages.map((one) => `${one.page} ${one.decision} ${one.reason}`.trim()),
    ]),
  );

test('a customer answers each page: one declined page declines the file, with its reason in the record and in the session', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `petra-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { pageLevel: 'page' }, []);
  const name = `booklet-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Cover', 'Inside', 'Back']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  const send = reader.getByRole('button', { name: /^Send \(/ });
  await expect(send).toBeDisabled();
  await expect(reader.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
  // What the page does not offer the server refuses: some pages only, or a decision that they do not make.
  const { pathname } = new URL(reader.url());
  const { sha256 } = (await (await reader.request.get(`/api${pathname}`)).json()).result;
  const sent = async (body: object) =>
    (
      await reader.request.post(`/api${pathname}/decision`, {
        data: { key: 'by-hand-1', sha256, name: 'Petra', ...body },
      })
    ).status();
  const approved = [1, 2, 3].map((no) => ({ page: no, decision: 'Approved' }));
  expect(await sent({ decision: 'Approved' })).toBe(422);
  expect(await sent({ decision: 'Approved', pages: approved.slice(1) })).toBe(422);
  expect(await sent({ decision: 'Declined', pages: approved })).toBe(400);

  await reader.getByRole('button', { name: 'Approve page' }).click();
  await expect(reader.getByRole('button', { name: 'Send (1 of 3)' })).toBeDisabled();
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  await about.getByRole('tab', { name: 'Pages' }).click();
  await about.getByRole('button', { name: /^Page 2/ }).click();
  await reader.getByRole('button', { name: 'Decline page' }).click();
  await expect(about.getByText('Declined; please say what should change')).toBeVisible();
  await reader.getByRole('button', { name: 'Approve the rest' }).click();
  await expect(send).toBeDisabled();
  await reader.getByLabel('What should change on page 2').fill('The street is wrong');
  await isSound(reader, 'pages-answered');
  await reader.getByRole('button', { name: 'Send (3 of 3)' }).click();
  const dialog = reader.getByRole('dialog');
  await expect(dialog).toContainText('Page 2: The street is wrong');
  await isSound(reader, 'pages-declining');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(reader.getByText(/^Declined by Carla Rossi/)).toBeVisible();
  await expect(reader.getByText('Page 2 is declined; the others are approved.')).toBeVisible();
  await becomes(page, id, /^Cancel/);
  expect(await pagesOf(page, id)).toEqual([
    [['Declined', '1 Approved', '2 Declined The street is wrong', '3 Approved']],
  ]);
  await reader.context().close();

  await page.goto(`/workflows/session/${id}?tab=proof`);
  await page.getByRole('tab', { name: /^Proof/ }).click();
  await expect(page.getByText('Page 2: The street is wrong')).toBeVisible();
});

test('on a phone, a customer approves every page by keyboard and tap, and the file goes on', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const email = `pia-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { pageLevel: 'page' }, []);
  const id = await submit(page, workflowId, `card-${mark}.pdf`, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 390, height: 844 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  await reader.getByRole('button', { name: 'Decline page' }).click();
  await isSound(reader, 'phone-page-declined');
  await reader.getByRole('button', { name: 'Approve page' }).focus();
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('button', { name: 'Approve page' })).toHaveAttribute('aria-pressed', 'true');
  await reader.getByRole('button', { name: 'Approve the rest' }).click();
  await reader.getByRole('button', { name: 'Send (2 of 2)' }).click();
  const dialog = reader.getByRole('dialog');
  await expect(dialog).toContainText('You approve all 2 pages.');
  await dialog.getByRole('button', { name: 'Approve for printing' }).click();
  await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
  await isSound(reader, 'phone-pages-approved');
  await becomes(page, id, /^Completed/);
  expect(await pagesOf(page, id)).toEqual([[['Approved', '1 Approved', '2 Approved']]]);
  await reader.context().close();
});
