import { expect, type Page } from 'playwright/test';
import { patience, signIn, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const file = (pages: number) => ({
  name: `trial-${mark}.pdf`,
  mimeType: 'application/pdf',
  buffer: makePdf(Array.from({ length: pages }, (_, at) => `Trial ${mark}, page ${at + 1}`)),
});

/** Runs the draft on a file; returns the session of the trial. */
async function tryOn(page: Page, pages: number): Promise<string> {
  await page.locator('aside input[type=file]').setInputFiles(file(pages));
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/trials'));
  await page.getByRole('button', { name: /^Try/ }).click();
  const { result } = (await (await answer).json()) as { result: { id: string } };
  return result.id;
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
}

test('a preflight profile: a limit is searched, changed, marked as different from the preset, tried and saved', async ({
  page,
}) => {
  const name = `Strict ${mark}`;
  await signIn(page, '/preflight/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('searchbox').fill('page count');
  await page.getByRole('button', { name: /^Page count/ }).click();
  const card = page.getByRole('region', { name: /Page count/ });
  await card.getByLabel('At least').fill('2');
  await expect(page.getByText('1 difference').first()).toBeVisible();

  // Its sentence is the one of the profile.
  await card.getByText('Custom messages').click();
  await card.getByLabel('For operators').fill('Too short: {measured} of {limit}.');
  await page.getByRole('button', { name: 'Help on Page count' }).click();
  await expect(page.getByText(/Compares with fixed limits/)).toBeVisible();
  await page.keyboard.press('Escape');

  await tryOn(page, 1);
  const result = page.getByRole('complementary');
  await expect(result.getByText('Errors were found')).toBeVisible({ timeout: patience });
  await expect(result.getByRole('button', { name: 'Too short: 1 of 2.' })).toBeVisible();
  await save(page, name);
});

test('a fix profile: an action is set, tried, reported in sentences, and shown in its session', async ({ page }) => {
  const name = `Bleed ${mark}`;
  await signIn(page, '/fix/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('combobox', { name: 'Add an action' }).click();
  await page.getByRole('option', { name: 'Set page boxes' }).click();
  await page.getByRole('button', { name: /^Set page boxes/ }).click();
  await page.getByRole('combobox', { name: 'When', exact: true }).click();
  await page.getByRole('option', { name: 'When a condition is true' }).click();
  await page.getByRole('textbox', { name: 'Condition' }).fill('quantity >=');
  await page.getByRole('button', { name: /^Set page boxes/ }).click();

  // A fault in an action that is folded away opens it.
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: 'Condition' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('combobox', { name: 'When', exact: true }).click();
  await page.getByRole('option', { name: 'Always' }).click();

  // Only fields that apply are shown.
  const from = page.getByRole('combobox', { name: 'Taken from' });
  await expect(page.getByRole('checkbox', { name: 'Corners' })).toHaveCount(0);
  await from.click();
  await page.getByRole('option', { name: 'Entered values' }).click();
  await page.getByRole('checkbox', { name: 'Corners' }).check();

  // An invalid length stays in the field with an error; nothing is saved.
  const left = page.getByLabel('Left').last();
  await left.fill('wide');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a length, such as 3 mm or 0.125 in').first()).toBeVisible();
  await left.fill('0');
  await from.click();
  await page.getByRole('option', { name: 'CropBox' }).click();
  await expect(page.getByRole('checkbox', { name: 'Corners' })).toHaveCount(0);
  await page.getByRole('switch', { name: 'Only where it is missing' }).uncheck();

  const session = await tryOn(page, 1);
  const result = page.getByRole('complementary');
  await expect(result.getByText(/TrimBox is now .* mm × .* mm/)).toBeVisible({ timeout: patience });
  await expect(result.getByText('Side by side')).toBeVisible();

  // A change starts another trial automatically.
  await page.getByLabel('Pages', { exact: true }).first().fill('9');
  await expect(result.getByText('No page matches 9.')).toBeVisible({ timeout: patience });
  await page.getByLabel('Pages', { exact: true }).first().fill('all');
  await save(page, name);

  await page.goto(`/workflows/session/${session}`);
  await page.getByText('Compare', { exact: true }).click();
  await page.getByText('Swipe', { exact: true }).click();
  await page.getByRole('slider').press('ArrowRight');
  await page.getByText('Difference', { exact: true }).click();
  await expect(page.getByText(/differs? at \d+ dpi/)).toBeVisible({ timeout: patience });
  await page.getByRole('tab', { name: 'Fixes' }).click();
  await expect(page.getByText(/TrimBox is now/)).toBeVisible();
});

test('an imposition profile: the preview follows the settings, reports invalid ones, and is tried', async ({
  page,
}) => {
  const name = `Booklet ${mark}`;
  await signIn(page, '/impose/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  const sheet = page.getByRole('region', { name: 'Drawing of the sheet' });
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 2' })).toBeVisible();
  await sheet.focus();
  await page.keyboard.press('f');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^Page 2, row 1, column 1/)).toBeVisible();

  // The last valid sheet stays visible, grey, with the reason.
  await page.getByLabel('Pages per signature').fill('6');
  await expect(page.getByText('Valid values are needed before a preview')).toBeVisible();
  await expect(page.getByText(/multiple of 4/)).toBeVisible();
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 2' })).toBeVisible();
  await page.getByLabel('Pages per signature').fill('4');
  await expect(page.getByText('Valid values are needed before a preview')).toBeHidden();

  const session = await tryOn(page, 8);
  await expect(page.getByText(/2 sheets/)).toBeVisible({ timeout: patience });
  await save(page, name);
  await page.goto(`/workflows/session/${session}`);
  await page.getByRole('tab', { name: 'Files' }).click();
  for (const made of ['imposed.pdf', 'plan.jdf', 'plan.xjdf', 'dummy.pdf'])
    await expect(page.getByText(`trial-${mark}-${made}`)).toBeVisible();
});

test('a leaflet is drawn as it is folded, and the form asks for what its fold needs', { tag: '@night' }, async ({
  page,
}) => {
  await signIn(page, '/impose/new');
  const sheet = page.getByRole('region', { name: 'Drawing of the sheet' });
  await page.getByRole('combobox', { name: 'Layout' }).click();
  await page.getByRole('option', { name: 'Folded leaflet' }).click();
  await expect(page.getByLabel('Panels', { exact: true })).toHaveValue('3');
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 1' })).toBeVisible();

  await page.getByRole('combobox', { name: 'Fold', exact: true }).click();
  await page.getByRole('option', { name: 'Half fold' }).click();
  await expect(page.getByText('Valid values are needed before a preview')).toBeHidden();
  await expect(page.getByLabel('Panels', { exact: true })).toBeHidden();
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 2' })).toBeVisible();
  // On the back of the cover the inside begins.
  await sheet.focus();
  await page.keyboard.press('f');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^Page 2, row 1, column 1/)).toBeVisible();
});

test('a fix profile in the safest order stands as it runs, and nothing in it is moved; as listed it is', {
  tag: '@night',
}, async ({ page }) => {
  await signIn(page, '/fix/new');
  for (const action of ['Add bleed', 'Set page boxes']) {
    await page.getByRole('combobox', { name: 'Add an action' }).click();
    await page.getByRole('option', { name: action, exact: true }).click();
  }
  const first = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('switch') })
    .first();
  const moves = page.getByRole('button', { name: /^Move / });
  await expect(first).toContainText('Set page boxes');
  await expect(moves).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'As listed' }).click();
  await expect(first).toContainText('Add bleed');
  await page.getByRole('button', { name: 'Move Add bleed down' }).click();
  await expect(first).toContainText('Set page boxes');
});

test('a proof profile: beside its form stands the page that its readers will see, on a phone and on a computer', {
  tag: '@night',
}, async ({ page }) => {
  await signIn(page, '/proofing/new');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/client-proofing/')) asked.push(request.url());
  });
  const preview = page.frameLocator('iframe[title=Preview]');
  await expect(preview.getByText('The file has problems that will show in print.')).toBeVisible();
  await expect(preview.locator('img[src^="blob:"]').first()).toBeVisible();

  // What an answer needs is asked for in the preview as soon as the form says so.
  await page.getByRole('switch', { name: 'Ask for the position' }).press('Space');
  await page.getByRole('switch', { name: 'Approving needs a typed signature' }).press('Space');
  await preview.getByRole('button', { name: /^Approve/ }).click();
  await expect(preview.getByRole('dialog').getByLabel(/^Your position/)).toBeVisible();
  await expect(preview.getByRole('dialog').getByLabel(/^Your signature/)).toBeVisible();
  await preview.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('radiogroup', { name: 'Preview' }).getByText('Computer').click();
  await expect(preview.getByRole('tab', { name: /^Remarks/ })).toBeVisible();
  await page.getByRole('switch', { name: 'Findings', exact: true }).press('Space');
  await expect(preview.getByRole('tab', { name: /^Remarks/ })).toBeHidden();

  // A copy of low resolution is offered, and the other screens of a link are shown where it has them.
  await page.getByRole('combobox', { name: 'Download' }).click();
  await page.getByRole('option', { name: 'A copy of low resolution' }).click();
  await expect(page.getByRole('textbox', { name: 'Watermark' })).toBeVisible();
  await preview.getByRole('button', { name: 'Download a copy of low resolution' }).click();
  // The copy has the words of the watermark while they are written.
  const screens = page.getByRole('radiogroup', { name: 'Screen' });
  await screens.getByText('Copy', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Watermark' }).fill('Only a proof: {{file.baseName}}');
  await expect(preview.getByRole('img', { name: 'Only a proof: A6' })).toBeVisible();
  await page.getByRole('switch', { name: 'Good for one decision' }).press('Space');
  await screens.getByText('Receipt').click();
  await expect(preview.getByText(/^This link was good for one decision/)).toBeVisible();
  await page.getByRole('combobox', { name: 'What opens the proof' }).click();
  await page.getByRole('option', { name: 'The link, and a code by mail' }).click();
  await screens.getByText('Code').click();
  await preview.getByRole('button', { name: /code/ }).first().click();
  await expect(preview.getByRole('textbox')).toBeVisible();
  expect(asked).toEqual([]);
});

test('a gang run: jobs are listed, drawn in their quantities, and named when they do not fit', {
  tag: '@night',
}, async ({ page }) => {
  await signIn(page, '/impose/new');
  const sheet = page.getByRole('region', { name: 'Drawing of the sheet' });
  await page.getByRole('combobox', { name: 'Layout' }).click();
  await page.getByRole('option', { name: 'Gang run' }).click();
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 1' })).toBeVisible();
  await expect(page.getByText(/% of the printable area is waste/)).toBeVisible();

  const jobs = page.getByRole('group', { name: 'Jobs' });
  for (const [at, [name, pages, quantity]] of [
    ['Cards', '1-2', '500'],
    ['Flyer', '3-4', '100'],
  ].entries()) {
    await jobs.getByRole('button', { name: 'Add' }).click();
    await jobs
      .getByLabel('Name')
      .nth(at)
      .fill(name ?? '');
    await jobs
      .getByLabel('Pages')
      .nth(at)
      .fill(pages ?? '');
    await jobs
      .getByLabel('Quantity')
      .nth(at)
      .fill(quantity ?? '');
  }
  await expect(page.getByText(/ordered: 600/)).toBeVisible();
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 1' })).toBeVisible();

  await page.getByRole('textbox', { name: 'Sheet width' }).fill('100 mm');
  await page.getByRole('textbox', { name: 'Sheet height' }).fill('70 mm');
  await page.keyboard.press('Tab');
  await expect(page.getByText(/There is no room left on the sheet for: (Cards|Flyer)/).first()).toBeVisible();
  await page.getByRole('switch', { name: 'Further sheets for what does not fit' }).check();
  await expect(sheet.getByRole('img', { name: 'Sheet 1 of 2' })).toBeVisible();
});
