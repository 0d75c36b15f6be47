import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, type TestInfo, test } from 'playwright/test';
import { clippedTexts, standsOut } from './clipping.ts';

export const widths = [390, 976, 1440] as const;
const themes = ['light', 'dark'] as const;
/** Themes and widths of every screenshot. */
export const everywhere = themes.flatMap((theme) => widths.map((width) => ({ theme, width })));
/** Both themes and every width: `npm test` looks at each screen in one of these, in turn; the night looks everywhere. */
export const inTurn = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 976 },
  { theme: 'dark', width: 1440 },
] as const;
/** For states of a screen that was looked at everywhere. */
export const twice = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
] as const;

/** The theme follows the system's: it changes without a reload. An empty page has no storage. */
export const themeFollows = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => origin === 'null' || localStorage.setItem('pdf2press-theme', '"system"'));

/**
 * Violations of WCAG 2.2 A and AA on the page. In the second theme at the same width only contrast is checked, because a
 * theme changes only colours. The page may still be painting a theme that was just changed: looked at again a moment
 * later, it must be right.
 */
export async function axeFaults(page: Page, isFirstTheme = true): Promise<string[]> {
  for (const wait of [500, 2_000]) {
    const found = await lookOnce(page, isFirstTheme);
    if (found.length === 0) return found;
    await page.waitForTimeout(wait);
  }
  return lookOnce(page, isFirstTheme);
}

async function lookOnce(page: Page, isFirstTheme: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (isFirstTheme
    ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    : axe.withRules(['color-contrast'])
  ).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

/** Hides what differs between runs (times, ids, durations) and keeps its place. */
const still = `
  time, code, [class*='stepTime'], [class*='nodeText'] small, [class*='toTop'] { visibility: hidden !important }
  time { display: inline-block; inline-size: 90px; overflow: hidden; white-space: nowrap; vertical-align: bottom }
  * { caret-color: transparent !important }`;

/** The page is drawn with the room of what is hidden before the picture is taken: what is fitted into the rest follows. */
export async function stillPicture(page: Page): Promise<Buffer> {
  const style = await page.addStyleTag({ content: still });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50)))),
  );
  const picture = await page.screenshot({ animations: 'disabled' });
  await style.evaluate((element) => (element as Element).remove());
  return picture;
}

/** The themes that a journey asks axe in: by day one, because half of the screenshots are of the other. */
const schemes = process.env.NIGHT ? (['light', 'dark'] as const) : (['light'] as const);

/**
 * A desk, at night in both themes, and a telephone: no fault of axe, and nothing wider than the page.
 * @param onPhone what else is asked at the width of a telephone
 */
export async function looksWell(page: Page, onPhone = async (): Promise<void> => undefined): Promise<void> {
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  // The page takes a moment to fit the new width.
  await expect.poll(() => page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await onPhone();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** As `looksWell`, and no fault of axe at the width of a telephone either. */
export const looksWellEverywhere = (page: Page): Promise<void> =>
  looksWell(page, async () => expect(await axeFaults(page)).toEqual([]));

/** How many states each test has asked about. */
const statesOf = new WeakMap<TestInfo, number>();

/**
 * In this state of a page nothing offends, nothing is cut off, and nothing scrolls sideways: at night in both themes, which
 * are pictured for who looks through them; by day the states of a test are looked at in one theme each, in turn.
 */
export async function isSound(page: Page, state: string): Promise<void> {
  const at = statesOf.get(test.info()) ?? 0;
  statesOf.set(test.info(), at + 1);
  for (const theme of themes.filter((_, turn) => process.env.NIGHT || turn === at % themes.length)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    if (process.env.NIGHT)
      await page.screenshot({ path: test.info().outputPath(`${state}-${theme}.png`), fullPage: true });
    expect(await axeFaults(page, theme === 'light'), `${state}, ${theme}`).toEqual([]);
  }
  expect(await standsOut(page), state).toEqual([]);
  expect(await clippedTexts(page), state).toEqual([]);
}
