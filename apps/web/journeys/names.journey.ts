import { expect, type Page } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { chooseIn, chooseProfile, endsAs, publish, run, step } from './drawing.ts';
import { ask, enter, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);

/** Makes a rename profile in its form, and looks at what the form shows of real files. */
async function makeProfile(page: Page, name: string): Promise<void> {
  await page.goto('/rename/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(
    preview
      .getByRole('listitem')
      .filter({ hasText: `known ${mark}.pdf` })
      .first(),
  ).toBeVisible();
  await page.getByRole('textbox', { name: 'New name' }).fill('{{file.baseName|slug}}_{{pdf.pageCount}}pp');
  await expect(preview).toContainText(`known-${mark}_2pp.pdf`);
  await page.getByRole('button', { name: 'Add' }).click();
  const change = page.getByRole('group', { name: 'Entry 1' });
  await chooseIn(change, 'Change', 'Upper or lower case');
  await chooseIn(change, 'Letters', 'ALL UPPER CASE');
  await expect(preview).toContainText(`KNOWN-${mark.toUpperCase()}_2PP.pdf`);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
}

test('files are named: a profile with its preview, by the rules of a step, and the result by the profile', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  const id = await makeDraft(page, {
    name: `Named ${mark}`,
    steps: [stepOf('Inject'), stepOf('Rename'), stepOf('Complete')],
    variables: [{ name: 'job', type: 'String', default: 'J7' }],
  });
  // The newest file, which the previews show.
  const { items } = await ask<{ items: { id: string }[] }>(page, 'GET', '/workflows?search=Sample');
  const known = await submit(page, items[0]?.id ?? '', `known ${mark}.pdf`, ['one', 'two']);
  await becomes(page, known, /^Completed/);
  const profile = `Loud ${mark}`;
  await makeProfile(page, profile);

  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Rename').click();
  const form = page.getByRole('complementary', { name: 'Rename' });
  await form.getByRole('textbox', { name: 'New name' }).fill('{{file.baseName}} v{{file.version}}');
  await expect(form.getByRole('region', { name: 'Preview' })).toContainText(`known ${mark} v1.pdf`);
  await form.getByRole('textbox', { name: 'New name' }).fill('{{job}} {{file.baseName}}');
  await step(page, 'Complete').click();
  await chooseProfile(page, 'Rename profile', profile);
  await publish(page);

  await run(page, `order ${mark}.pdf`);
  await endsAs(page, /Completed/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download result' }).click();
  expect((await download).suggestedFilename()).toBe(`J7-ORDER-${mark.toUpperCase()}_1PP.pdf`);
});
