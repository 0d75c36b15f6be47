import { type Browser, expect, type Page } from 'playwright/test';
import { ask, enter, test } from './house.ts';
import { tabTo } from './keyboard.ts';
import { isSound } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { addressIn, approversOf, drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
type Size = keyof typeof sizes;

const addressOf = (name: string, mark: string) => addressIn(mark)(name);
const approvers = (names: readonly string[], mark: string) => approversOf(names, addressIn(mark));

/** Opens the proof in the browser of somebody who was asked. */
async function openAs(page: Page, browser: Browser, name: string, { mark, size }: { mark: string; size: Size }) {
  const reader = await readerOf(browser, sizes[size]);
  await reader.goto(await linkFor(page, addressOf(name, mark)));
  await drawn(reader);
  return reader;
}

/** Goes to a control by Tab, which shows where it is, and presses a key there. */
async function press(reader: Page, target: ReturnType<Page['getByRole']>, key = 'Enter'): Promise<void> {
  await tabTo(reader, target);
  await reader.keyboard.press(key);
}

/** Decides without a pointer: opens the question, fills it in and answers it. */
async function decide(reader: Page, decision: 'Approve' | 'Decline'): Promise<void> {
  await press(reader, reader.getByRole('button', { name: decision, exact: true }));
  const dialog = reader.getByRole('dialog');
  await expect(dialog).toBeVisible();
  if (decision === 'Decline') {
    await tabTo(reader, dialog.getByLabel('What should change'));
    await reader.keyboard.type('The street has another number');
  }
  await press(
    reader,
    dialog.getByRole('button', { name: decision === 'Approve' ? 'Approve for printing' : 'Decline', exact: true }),
  );
  await expect(dialog).toBeHidden();
}

for (const size of ['desktop', 'phone'] as const) {
  test.describe(size, () => {
    const mark = `${size}-${Date.now().toString(36)}`;

    test('two sign one after the other, by keyboard alone', { tag: '@night' }, async ({ page, context, browser }) => {
      await enter(page, context);
      const settings = { mode: 'Sequence', approvers: approvers(['Sara', 'Theo'], mark) };
      const id = await submit(page, await makeProvingWorkflow(page, '', settings), `label-${mark}.pdf`);
      await becomes(page, id, /^OnHold$/);
      const sara = await openAs(page, browser, 'Sara', { mark, size });
      await decide(sara, 'Approve');
      await expect(sara.getByText(/^Approved by Sara.*Others are still asked/)).toBeVisible();
      await isSound(sara, `${size}-answered`);
      const theo = await openAs(page, browser, 'Theo', { mark, size });
      await decide(theo, 'Approve');
      await expect(theo.getByText(/^Approved by Theo.*The file goes to print/)).toBeVisible();
      await becomes(page, id, /^Completed/);
      await Promise.all([sara, theo].map((reader) => reader.context().close()));
    });

    test('two of three are enough, by keyboard alone', { tag: '@night' }, async ({ page, context, browser }) => {
      await enter(page, context);
      const settings = { mode: 'Quorum', quorum: 2, approvers: approvers(['Una', 'Vera', 'Wim'], mark) };
      const id = await submit(page, await makeProvingWorkflow(page, '', settings), `ticket-${mark}.pdf`);
      await becomes(page, id, /^OnHold$/);
      const una = await openAs(page, browser, 'Una', { mark, size });
      await decide(una, 'Approve');
      await expect(una.getByText(/^Approved by Una.*Others are still asked/)).toBeVisible();
      const vera = await openAs(page, browser, 'Vera', { mark, size });
      await decide(vera, 'Decline');
      await expect(vera.getByText(/^Declined by Vera.*Others are still asked/)).toBeVisible();
      await becomes(page, id, /^OnHold$/);
      const wim = await openAs(page, browser, 'Wim', { mark, size });
      await decide(wim, 'Approve');
      await expect(wim.getByText(/^Approved by Wim/)).toBeVisible();
      await becomes(page, id, /^Completed/);
      await Promise.all([una, vera, wim].map((reader) => reader.context().close()));
    });

    test('each page is answered, one is declined with its reason, by keyboard alone', { tag: '@night' }, async ({
      page,
      context,
      browser,
    }) => {
      await enter(page, context);
      const workflowId = await makeProvingWorkflow(page, addressOf('Petra', mark), { pageLevel: 'page' }, []);
      const id = await submit(page, workflowId, `booklet-${mark}.pdf`, ['Front', 'Inside', 'Back']);
      await becomes(page, id, /^OnHold$/);
      const reader = await openAs(page, browser, 'Petra', { mark, size });
      await press(reader, reader.getByRole('button', { name: 'Decline page' }));
      await tabTo(reader, reader.getByLabel('What should change on page 1'));
      await reader.keyboard.type('The street is wrong');
      await press(reader, reader.getByRole('button', { name: 'Approve the rest' }));
      await isSound(reader, `${size}-pages-answered`);
      await press(reader, reader.getByRole('button', { name: 'Send (3 of 3)' }));
      const dialog = reader.getByRole('dialog');
      await expect(dialog).toContainText('Page 1: The street is wrong');
      await press(reader, dialog.getByRole('button', { name: 'Decline' }));
      await expect(reader.getByText('Page 1 is declined; the others are approved.')).toBeVisible();
      await becomes(page, id, /^Cancel/);
      await reader.context().close();
    });
  });
}

test('the keys of the page show remarks, inks and comparison, mark what should change, and decline: by keyboard alone', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const mark = `keys-${Date.now().toString(36)}`;
  const checks = [{ key: 'PageCount', settings: { max: 1 } }, { key: 'Fonts' }];
  const workflowId = await makeProvingWorkflow(page, addressOf('Rhea', mark), { show: { separations: true } }, checks);
  const id = await submit(page, workflowId, `leaflet-${mark}.pdf`, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);
  const reader = await openAs(page, browser, 'Rhea', { mark, size: 'desktop' });
  const keys = reader.keyboard;
  // The list of the keys says which there are.
  await keys.press('?');
  const sheet = reader.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const [word, key] of [
    ['Remarks', 'f'],
    ['Inks', 's'],
    ['Compare', 'c'],
    ['Hand: put the tool away', 'h'],
    ['Write a note on the page', 'n'],
  ] as const)
    await expect(sheet.locator('div', { has: reader.getByText(word, { exact: true }) }).last()).toContainText(key);
  await isSound(reader, 'keys');
  await keys.press('Escape');
  await expect(sheet).toBeHidden();
  await keys.press('s');
  await expect(reader.getByRole('dialog', { name: 'Inks' })).toBeVisible();
  await keys.press('Escape');
  await keys.press('c');
  await expect(reader.getByRole('radio', { name: 'Compare' })).toBeChecked();
  await keys.press('c');
  await expect(reader.getByRole('radio', { name: 'As it will print' })).toBeChecked();
  await drawn(reader);

  // A box is drawn with the crosshair, and said what it means; then the hand puts the tool away.
  await keys.press('n');
  await keys.press('x');
  await expect(reader.getByRole('application', { name: /^Crosshair/ })).toBeFocused();
  await keys.press('Enter');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Control+ArrowDown']) await keys.press(key);
  await keys.press('Enter');
  const panel = reader.getByRole('complementary', { name: 'About the proof' });
  await expect(panel.getByLabel('What should change')).toBeFocused();
  await keys.type('This line is crooked');
  await press(reader, panel.getByRole('button', { name: 'Save the note' }));
  await expect(panel.getByText('This line is crooked')).toBeVisible();
  await isSound(reader, 'marked');
  await reader.locator('body').press('f');
  await expect(panel.getByRole('tab', { name: /^Remarks/ })).toBeFocused();
  await expect(panel.getByRole('tab', { name: /^Remarks/ })).toHaveAttribute('aria-selected', 'true');

  await decide(reader, 'Decline');
  await expect(reader.getByText(/^Declined by Carla Rossi/)).toBeVisible();
  await becomes(page, id, /^Cancel/);
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  await expect(page.getByRole('region', { name: 'Notes', exact: true })).toContainText('This line is crooked');
  await reader.context().close();
});

test('an A0 poster is seen whole and close, and when its order is canceled the link says that nothing is left to decide', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const mark = Date.now().toString(36);
  const workflowId = await makeProvingWorkflow(page, addressOf('Zoe', mark), {}, []);
  const pdf = makePdf(['Poster'], [2384, 3370]);
  const id = await submit(page, workflowId, `poster-${mark}.pdf`, [], pdf);
  await becomes(page, id, /^OnHold$/);
  const reader = await openAs(page, browser, 'Zoe', { mark, size: 'phone' });
  await isSound(reader, 'poster');
  // Closer, finer tiles are asked for, and are there.
  const tile = reader.locator('img[class*=tile]').first();
  const whole = await tile.getAttribute('src');
  for (let times = 0; times < 8; times += 1) await reader.keyboard.press('+');
  await expect.poll(() => tile.getAttribute('src').catch(() => whole)).not.toBe(whole);
  await drawn(reader);
  await isSound(reader, 'poster-close');
  await ask(page, 'POST', `/sessions/${id}/cancel`, {});
  await becomes(page, id, /^Cancel/);
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'Nothing is left to decide' })).toBeVisible();
  await isSound(reader, 'closed');
  await reader.context().close();
});
