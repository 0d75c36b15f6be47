import { expect, type Page } from 'playwright/test';
import { clippedTexts, standsOut } from './clipping.ts';
import { ask, enter, patience, sampleWorkflow, test, tokenOf } from './house.ts';
import { axeFaults, everywhere, inTurn, stillPicture, themeFollows, twice, widths } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { comparePicture, whyNotComparable } from './pictures.ts';
import { broken, files, type Look, looks } from './screens-to-look-at.ts';

/**
 * Every screen, each in another theme or at another width than the one before it; by night in each theme at each width,
 * and every state of one: WCAG 2.2 AA by axe, nothing scrolls sideways, and it looks as it did (kept pictures). Then every
 * screen in the pseudo-locale, two fifths longer: no text is cut.
 */
interface Faults {
  all: readonly string[];
  add: (fault: string) => void;
}
/** Problems are printed when they are found, because all screens together take long. */
function told(): Faults {
  const all: string[] = [];
  const add = (fault: string) => {
    all.push(fault);
    console.error(fault);
  };
  return { all, add };
}

const isThere = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
};

async function go(page: Page, { path, given, act, isPublic }: Look, language = ''): Promise<void> {
  const address = language
    ? path.replace(/(\?[^#]*)?(#.*)?$/, (_, query, hash) => `${query ? `${query}&` : '?'}lang=${language}${hash ?? ''}`)
    : path;
  await given?.(page);
  // The same document would be kept where only the fragment differs.
  await page.goto('about:blank');
  await page.goto(address);
  await isThere(page);
  if (path.startsWith('/workflows/sessions') && !isPublic)
    await expect(page.getByText(broken).or(page.getByText('Nothing matches')).first()).toBeVisible();
  await act?.(page);
}

async function lookAt(page: Page, look: Look, turn: number, why: string | null, faults: Faults): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  let last = 0;
  const looks = look.widths
    ? look.widths.map((width) => ({ theme: 'light', width }) as const)
    : look.isState
      ? twice
      : process.env.NIGHT || process.env.LOOKS
        ? everywhere
        : inTurn.filter((_, at) => at === turn % inTurn.length);
  for (const { theme, width } of looks) {
    // A state may be lost when the width changes; it is created again.
    if (last === 0 || look.isCanvas || (look.isState && look.act)) {
      await page.setViewportSize({ width, height: 900 });
      await go(page, look);
    }
    if (look.isCanvas) await page.mouse.move(0, 0);
    last = width;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    const name = `${look.name}-${theme}-${width}`;
    for (const fault of await axeFaults(page, theme === 'light' || looks.length < everywhere.length))
      faults.add(`${name}: ${fault}`);
    for (const wide of await standsOut(page)) faults.add(`${name}: scrolls sideways: ${wide}`);
    if (why) continue;
    const compared = async () => comparePicture(name, await stillPicture(page), test.info().outputPath('pictures'));
    let difference = await compared();
    // The worker may still be drawing a thumbnail, or the page a last frame: looked at again, it must be right.
    for (const wait of [500, 1_500, 4_000, 10_000]) {
      if (!difference) break;
      await page.waitForTimeout(wait);
      difference = await compared();
    }
    if (difference) faults.add(difference);
  }
}

test.beforeEach(({ context }) => themeFollows(context));

test('test data are created', async ({ page, context }) => {
  await enter(page, context);
  const { items: workflows } = await ask<{ items: { id: string; name: string }[] }>(page, 'GET', '/workflows');
  const workflow = workflows.find(({ name }) => sampleWorkflow.test(name));
  const { items: there } = await ask<{ items: { fileName: string }[] }>(page, 'GET', '/sessions?pageSize=100');
  const makes = [
    ...files.map((name) => ({ name, bytes: makePdf([name, 'Second page', 'Third page']) })),
    { name: broken, bytes: Buffer.from('This is no PDF at all') },
  ];
  const authorization = `Bearer ${await tokenOf(page)}`;
  for (const { name, bytes } of makes) {
    if (there.some(({ fileName }) => fileName === name)) continue;
    await page.request.post('/api/sessions', {
      headers: { authorization },
      multipart: { workflowId: workflow?.id ?? '', file: { name, mimeType: 'application/pdf', buffer: bytes } },
    });
  }
  await expect
    .poll(
      async () =>
        (await ask<{ items: { status: string }[] }>(page, 'GET', '/sessions?status=InQueue&status=Processing')).items
          .length,
      { timeout: patience },
    )
    .toBe(0);
});

/** `LOOKS=user-form,fix` looks at those of such names only, to see or retake a few. */
const asked = looks.filter(({ name }) => (process.env.LOOKS ?? '').split(',').some((part) => name.includes(part)));
const groups = [
  ['public pages', asked.filter((look) => look.isPublic)],
  ['screens', asked.filter((look) => !look.isPublic && !look.isState)],
  ['states of screens', asked.filter((look) => !look.isPublic && look.isState)],
] as const;

for (const [title, group] of groups) {
  // The states take as long as the screens: they are looked at by `npm run night`.
  if (title === 'states of screens' && !process.env.NIGHT && !process.env.LOOKS) continue;
  test(`${title}: WCAG 2.2 AA, nothing scrolls sideways, and they look like the reference screenshots`, async ({
    page,
    context,
  }) => {
    test.setTimeout(40 * 60_000);
    if (title !== 'public pages') await enter(page, context);
    await page.goto('/login');
    const { total } = title === 'public pages' ? { total: 0 } : await ask<{ total: number }>(page, 'GET', '/sessions');
    // A product that was used before shows other lists.
    const why = total > files.length + 5 ? 'the product was used before' : await whyNotComparable(page);
    if (why) console.log(`Pictures are not compared: ${why}.`);
    const faults = told();
    for (const [turn, look] of group.entries()) await lookAt(page, look, turn, why, faults);
    expect(faults.all).toEqual([]);
  });
}

test('with texts 40 % longer no text is cut and nothing scrolls sideways, down to 320 px', { tag: '@night' }, async ({
  page,
  context,
}) => {
  test.setTimeout(40 * 60_000);
  await enter(page, context);
  const faults = told();
  for (const look of asked.filter((one) => !one.isState && !one.act)) {
    await go(page, look, 'en-XA');
    for (const width of [...widths, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = width === 320 ? [] : await clippedTexts(page);
      for (const text of cut) faults.add(`${look.path} at ${width}: ${text}`);
      for (const wide of await standsOut(page)) faults.add(`${look.path} at ${width}: scrolls sideways: ${wide}`);
    }
  }
  expect(faults.all).toEqual([]);
});
