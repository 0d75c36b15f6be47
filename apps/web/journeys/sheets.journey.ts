import { expect } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, test } from './house.ts';
import { isSound } from './looks.ts';
import { drawn, linkFor, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';
import { inDatabase } from './time-passes.ts';

/* A proof of imposed sheets: the switch to the pages that lie on them. */

const mark = Date.now().toString(36);

test('a customer looks at the sheets and at the pages on them, where the findings are', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const email = `shea-${mark}@customer.test`;
  const make = async (kind: string, settings: object) =>
    (await ask<{ id: string }>(page, 'POST', `/profiles/${kind}`, { name: `Sheets ${kind} ${mark}`, settings })).id;
  const approvers = [{ kind: 'address', address: email, name: 'Shea' }];
  const workflowId = await makePublished(page, {
    name: `Sheets ${mark}`,
    steps: [
      stepOf('Inject'),
      stepOf('Preflight', { profileId: await make('preflight', { checks: [{ key: 'Fonts', settings: {} }] }) }),
      stepOf('Impose', {
        profileId: await make('impose', { type: 'StepNRepeat' }),
      }),
      stepOf('Proof', { profileId: await make('proofing', { approvers }) }),
      stepOf('Complete'),
      stepOf('Cancel', { reason: 'The customer wants changes' }),
    ],
    ways: [
      'inject done preflight',
      'preflight done impose',
      'impose done proof',
      'proof Approved complete',
      'proof Declined cancel',
    ],
  });
  const name = `on-sheets-${mark}.pdf`;
  const id = await submit(page, workflowId, name, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await expect(reader.getByRole('heading', { level: 1, name: `on-sheets-${mark}` })).toBeVisible();
  await drawn(reader);
  const widthOf = async () =>
    reader.locator('[data-box="trim"]').evaluate((box) => Number(box.getAttribute('width')) / 72);
  // Sheets first: they are what is decided on.
  await expect(reader.getByRole('radio', { name: 'Imposed sheets' })).toBeChecked();
  expect(await widthOf()).toBeGreaterThan(10);
  // What is told of the job is told of the pages.
  await expect(reader.getByRole('complementary', { name: 'About the proof' }).locator('dl')).toContainText(
    /Finished size142\b.* mm × 204\b.* mm/,
  );
  await isSound(reader, 'sheets');
  await reader.getByText('Single pages', { exact: true }).click();
  await expect.poll(widthOf).toBeLessThan(6);
  await expect(reader.getByText('1 of 2', { exact: true })).toBeVisible();
  await isSound(reader, 'pages-of-sheets');

  // A finding leads to the page that it was found on.
  await reader.getByText('Imposed sheets', { exact: true }).click();
  await expect.poll(widthOf).toBeGreaterThan(10);
  await reader
    .getByRole('complementary', { name: 'About the proof' })
    .getByRole('button', { name: /^Problem/ })
    .first()
    .click();
  await expect(reader.getByRole('radio', { name: 'Single pages' })).toBeChecked();
  await expect(reader.locator('rect[data-severity]').first()).toBeVisible();
  // What came is compared with the pages, not with the sheets.
  await reader.getByText('Compare', { exact: true }).click();
  await expect(reader.getByRole('group', { name: 'Single pages, page 1' })).toBeVisible();
  // On a telephone the switch is there as long as the sheet of remarks is down.
  await reader.setViewportSize({ width: 390, height: 844 });
  await reader.reload();
  await drawn(reader);
  await reader.getByText('Single pages', { exact: true }).click();
  await expect(reader.getByText('1 of 2', { exact: true })).toBeVisible();
  await isSound(reader, 'pages-of-sheets-phone');

  // The profile can leave the pages out: what was found on them stands in the list, and nowhere on the sheets.
  await inDatabase(`update proofs set settings = jsonb_set(settings, '{show,pages}', 'false') where session_id = $1`, [
    id,
  ]);
  await reader.setViewportSize({ width: 1440, height: 900 });
  await reader.reload();
  await drawn(reader);
  await expect(reader.getByText('As you sent it', { exact: true })).toBeVisible();
  for (const gone of ['Single pages', 'Compare', 'Finished size'])
    await expect(reader.getByText(gone, { exact: true })).toHaveCount(0);
  const finding = reader
    .getByRole('complementary', { name: 'About the proof' })
    .getByRole('button', { name: /^Problem/ });
  await finding.first().click();
  await expect(finding.first()).toHaveAttribute('aria-pressed', 'true');
  await expect(reader.getByRole('radio', { name: 'Imposed sheets' })).toBeChecked();
  await expect(reader.locator('rect[data-severity]')).toHaveCount(0);
  await isSound(reader, 'sheets-alone');
  await reader.context().close();
});
