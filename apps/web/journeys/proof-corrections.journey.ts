import { expect, type Locator, type Page } from 'playwright/test';
import sharp from 'sharp';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, test } from './house.ts';
import { isSound } from './looks.ts';
import { drawn, linkFor, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

/* Where something was corrected is shown on the page; which pages were looked at is told to the house, one by one and in pairs. */

const mark = Date.now().toString(36);

/** A published workflow that writes the number of each page on it and asks this person. */
async function makeCorrectingWorkflow(page: Page, email: string): Promise<string> {
  const make = async (kind: string, settings: object) =>
    (await ask<{ id: string }>(page, 'POST', `/profiles/${kind}`, { name: `Corrections ${kind} ${mark}`, settings }))
      .id;
  const numbers = { key: 'AddText', settings: { text: 'No. {{page.no}}', size: 20 } };
  const approvers = [{ kind: 'address', address: email, name: 'Carla Rossi' }];
  return makePublished(page, {
    name: `Corrections ${mark}`,
    steps: [
      stepOf('Inject'),
      stepOf('Fix', { profileId: await make('fix', { actions: [numbers] }) }),
      stepOf('Proof', { profileId: await make('proofing', { approvers }) }),
      stepOf('Complete'),
      stepOf('Cancel', { reason: 'The customer wants changes' }),
    ],
    ways: ['inject done fix', 'fix done proof', 'proof Approved complete', 'proof Declined cancel'],
  });
}

/** How many black pixels the page shows in the frame of a place, and so far around it in CSS pixels. */
async function blackIn(page: Page, place: Locator, around: number): Promise<number> {
  const box = await place.boundingBox();
  if (!box) return 0;
  const clip = {
    x: box.x - around,
    y: box.y - around,
    width: box.width + 2 * around,
    height: box.height + 2 * around,
  };
  const picture = sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .greyscale();
  const { data } = await picture.raw().toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 80).length;
}

test('a customer is led to the place of a correction, and the house is told the pages that were looked at', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `cora-${mark}@customer.test`;
  const workflowId = await makeCorrectingWorkflow(page, email);
  const id = await submit(page, workflowId, `leaflet-${mark}.pdf`, ['One', 'Two', 'Three', 'Four', 'Five', 'Six']);
  await becomes(page, id, /^OnHold$/);

  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  const seen = async () => {
    const [proof] = await ask<{ recipients: { pagesSeen: number[] }[] }[]>(page, 'GET', `/sessions/${id}/proofs`);
    return proof?.recipients[0]?.pagesSeen;
  };
  await expect.poll(seen).toEqual([1]);

  // A correction leads to its page, and is marked there.
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  const place = reader.locator('rect[data-chosen]');
  await about.getByRole('tab', { name: 'Corrections (6)' }).click();
  await expect(place).toHaveCount(0);
  await about
    .getByRole('button', { name: /“No\. 2”/ })
    .first()
    .click();
  await expect(reader.getByRole('group', { name: /^Page 2:/ })).toBeVisible();
  await expect(place).toHaveCount(1);
  // It lies around what was written: inside it is black, around it nothing is.
  await expect.poll(() => blackIn(reader, place, 0)).toBeGreaterThan(100);
  expect(await blackIn(reader, place, 60)).toBe(await blackIn(reader, place, 0));
  await isSound(reader, 'correction');

  // Pages that are looked at one by one count as those that are looked at in pairs do.
  await expect.poll(seen).toEqual([1, 2]);
  await reader.keyboard.press('v');
  await expect.poll(seen).toEqual([1, 2, 3]);
  await page.goto(`/workflows/session/${id}?tab=proof`);
  await page.getByRole('tab', { name: /^Proof/ }).click();
  await expect(page.getByText('Looked at pages 1–3 of 6')).toBeVisible();
  await reader.context().close();

  // On a phone the page stays in sight above the sentence.
  const phone = await readerOf(browser, { width: 390, height: 844 });
  await phone.goto(await linkFor(page, email));
  await drawn(phone);
  await phone
    .getByRole('button', { name: /Show more|More/ })
    .first()
    .click();
  await phone.getByRole('tab', { name: 'Corrections' }).click();
  await phone.getByRole('button', { name: /“No\. 4”/ }).click();
  await expect(phone.locator('rect[data-chosen]')).toBeInViewport();
  await isSound(phone, 'phone-correction');
  await phone.context().close();
});
