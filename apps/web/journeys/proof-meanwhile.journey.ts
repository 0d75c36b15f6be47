import { type Browser, expect, type Page } from 'playwright/test';
import { ask, enter, test } from './house.ts';
import { isSound } from './looks.ts';
import { addressIn, drawn, linkFor, makeProvingWorkflow, readerOf, title } from './proving.ts';
import { becomes, submit } from './submit.ts';
import { inDatabase } from './time-passes.ts';

/** What happens to a proof while somebody looks at it. */
const mark = Date.now().toString(36);
const desk = { width: 1440, height: 900 };
const addressOf = addressIn(mark);

/** A proof that waits, open in the browser of whom it asks, with the dialog of an approval. */
async function atApproval(page: Page, browser: Browser, who: string, viewport = desk) {
  const workflowId = await makeProvingWorkflow(page, addressOf(who), { approvalPolicy: 'AlwaysApprove' });
  const id = await submit(page, workflowId, `${who}-${mark}.pdf`);
  await becomes(page, id, /^OnHold$/);
  const link = await linkFor(page, addressOf(who));
  const reader = await readerOf(browser, viewport);
  await reader.goto(link);
  await drawn(reader);
  const ask = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Approve' }).click();
    return tab.getByRole('dialog').getByRole('button', { name: 'Approve for printing' });
  };
  return { id, link, reader, ask, act: await ask(reader) };
}
const recordsOf = async (page: Page, id: string) =>
  (await ask<{ records: unknown[] }[]>(page, 'GET', `/sessions/${id}/proofs`)).flatMap(({ records }) => records);

test('a double click decides once; going back and on, and another tab, find what was decided', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const { id, link, reader, ask: approve, act } = await atApproval(page, browser, 'dora');
  const other = await reader.context().newPage();
  await other.goto(link);
  await drawn(other);
  const late = await approve(other);

  await act.dblclick();
  await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
  // The tab that does not know it yet is told, and shows it.
  await late.click();
  await expect(other.getByText(/^Already decided by Carla Rossi/)).toBeVisible();
  await expect(other.getByText(/^Approved by Carla Rossi/)).toBeVisible();
  await expect(other.getByRole('dialog')).toHaveCount(0);
  await isSound(other, 'stale');

  await reader.goto('about:blank');
  await reader.goBack();
  await expect(reader.getByText(/^Approved by Carla Rossi/)).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  expect(await recordsOf(page, id)).toHaveLength(1);
  await becomes(page, id, /^Completed/);
  await reader.context().close();
});

for (const [device, viewport] of Object.entries({ desktop: desk, phone: { width: 390, height: 844 } }))
  test(`the link expires, and the file is replaced, while somebody approves, on a ${device}`, {
    tag: '@night',
  }, async ({ page, context, browser }) => {
    await enter(page, context);
    const expiring = await atApproval(page, browser, `elsa-${device}`, viewport);
    await inDatabase(
      "update proof_recipients set link_expires_at = now() - interval '1 minute' where session_id = $1",
      [expiring.id],
    );
    await expiring.act.click();
    await expect(expiring.reader.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
    await expect(expiring.reader.getByRole('dialog')).toHaveCount(0);
    await isSound(expiring.reader, `expired-meanwhile-${device}`);
    expect(await recordsOf(page, expiring.id)).toEqual([]);
    await expiring.reader.context().close();

    const replaced = await atApproval(page, browser, `finn-${device}`, viewport);
    await ask(page, 'POST', `/sessions/${replaced.id}/restart`, {});
    const second = await linkFor(page, addressOf(`finn-${device}`), replaced.link);
    await replaced.act.click();
    await expect(replaced.reader.getByRole('heading', { name: 'There is a newer version' })).toBeVisible();
    await isSound(replaced.reader, `replaced-meanwhile-${device}`);
    await replaced.reader.goto(second);
    await drawn(replaced.reader);
    expect(await recordsOf(page, replaced.id)).toEqual([]);
    await replaced.reader.context().close();
  });

test('what is being written outlasts a reload of the tab', { tag: '@night' }, async ({ page, context, browser }) => {
  await enter(page, context);
  const workflowId = await makeProvingWorkflow(page, addressOf('gina'), { allowMarks: false });
  const id = await submit(page, workflowId, `gina-${mark}.pdf`, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, desk);
  await reader.goto(await linkFor(page, addressOf('gina')));
  await drawn(reader);
  // Where places are not marked, notes are about pages.
  await expect(reader.getByRole('button', { name: 'Write a note on the page' })).toHaveCount(0);
  const notes = async () => {
    await reader.getByRole('tab', { name: /^Notes/ }).click();
    return reader.getByRole('complementary', { name: 'About the proof' });
  };
  let about = await notes();
  await expect(about.getByText('Write about the whole page here.')).toBeVisible();
  await about.getByRole('button', { name: 'Write a note' }).click();
  await about.getByLabel('What should change').fill('Half a sentence');
  await reader.reload();
  await drawn(reader);
  about = await notes();
  await expect(about.getByLabel('What should change')).toHaveValue('Half a sentence');
  await about.getByRole('button', { name: 'Save the note' }).click();
  await expect(about.getByRole('listitem').filter({ hasText: 'Half a sentence' })).toHaveCount(1);
  await reader.reload();
  about = await notes();
  await expect(about.getByRole('listitem').filter({ hasText: 'Half a sentence' })).toHaveCount(1);
  await expect(about.getByLabel('What should change')).toHaveCount(0);
  await reader.context().close();
});

test('a file of 600 pages is proved: its last page is come to, read and marked', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const pages = 600;
  const workflowId = await makeProvingWorkflow(page, addressOf('hugo'), {}, [{ key: 'Fonts' }]);
  const name = `hugo-${mark}.pdf`;
  const id = await submit(
    page,
    workflowId,
    name,
    Array.from({ length: pages }, (_, at) => `Page ${at + 1}`),
  );
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, desk);
  await reader.goto(await linkFor(page, addressOf('hugo')));
  await expect(title(reader, name)).toBeVisible();
  await drawn(reader);
  await expect(reader.locator('dl')).toContainText('Pages600');
  await reader.keyboard.press('j');
  await reader.getByLabel(/^Page number/).fill(String(pages));
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('group', { name: /^Page 600/ })).toBeVisible();
  await drawn(reader);
  await isSound(reader, 'page 600');
  await reader.context().close();
});
