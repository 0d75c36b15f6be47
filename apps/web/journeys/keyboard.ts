import { expect, type Locator, type Page } from 'playwright/test';
import sharp from 'sharp';

/** More tab stops than any page has; a page that needs more has a focus trap. */
const mostStops = 150;

const hasFocus = (target: Locator) =>
  target
    .first()
    .evaluate((element) => element === document.activeElement)
    .catch(() => false);

/** Number of pixels around the focused element that change when it loses the focus. */
async function ringPixels(page: Page): Promise<number> {
  const clip = await page.evaluate(() => {
    const { x, y, width, height } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
    const room = 8;
    const left = Math.max(0, x - room);
    const top = Math.max(0, y - room);
    return {
      x: left,
      y: top,
      width: Math.max(1, Math.min(innerWidth, x + width + room) - left),
      height: Math.max(1, Math.min(innerHeight, y + height + room) - top),
    };
  });
  const look = async () =>
    sharp(await page.screenshot({ clip, animations: 'disabled', caret: 'hide' }))
      .removeAlpha()
      .raw()
      .toBuffer();
  const ringed = await look();
  // Fields ring their border; what floats would close if it lost the focus, and has outlines.
  await page.evaluate(() => {
    const focused = document.activeElement as HTMLElement;
    Object.assign(window, { focused });
    if (focused.matches('input:not([role]), textarea')) return focused.blur();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { outline: none !important; box-shadow: none !important; }');
    document.adoptedStyleSheets = [sheet];
  });
  const plain = await look();
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
    (window as unknown as { focused: HTMLElement }).focused.focus({ preventScroll: true });
  });
  let differing = 0;
  for (let at = 0; at < ringed.length; at += 3) {
    const isOther = [0, 1, 2].some(
      (channel) => Math.abs((ringed[at + channel] ?? 0) - (plain[at + channel] ?? 0)) > 40,
    );
    if (isOther) differing += 1;
  }
  return differing;
}

/** The focus ring must be visible: at least as many pixels as a line along one short side. */
export async function expectRing(page: Page): Promise<void> {
  await expect.poll(() => ringPixels(page), { message: 'no focus ring is seen' }).toBeGreaterThan(30);
}

/** Presses Tab until the control has the focus, which it must show. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target.first()).toBeVisible();
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await hasFocus(target)) return expectRing(page);
    await page.keyboard.press(key);
  }
  throw new Error(`${mostStops} times ${key} do not lead to ${target}`);
}

/** Tabs through the whole page and back: every tab stop has a visible focus, none is a trap. Returns the number of stops. */
export async function walkAround(page: Page): Promise<number> {
  const here = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const marked = element as HTMLElement & { stop?: number };
      const all = window as unknown as { stops?: number };
      all.stops ??= 0;
      marked.stop ??= ++all.stops;
      return marked.stop;
    });
  for (const key of ['Tab', 'Shift+Tab'] as const) {
    const seen = new Set<number>();
    for (let stops = 0; ; stops += 1) {
      expect(stops, `${key} comes to no end`).toBeLessThan(mostStops);
      await page.keyboard.press(key);
      const stop = await here();
      if (stop === null || seen.has(stop)) break;
      seen.add(stop);
    }
    expect(seen.size, `stops by ${key}`).toBeGreaterThan(10);
  }
  return page.evaluate(() => (window as unknown as { stops: number }).stops);
}

/** Moves to an entry of the open menu and activates it. */
export async function takeEntry(page: Page, role: 'menuitem' | 'menuitemradio', name: string): Promise<void> {
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
  const entry = page.getByRole(role, { name, exact: true });
  for (let entries = 0; entries < mostStops && !(await hasFocus(entry)); entries += 1)
    await page.keyboard.press('ArrowDown');
  await expect(entry).toBeFocused();
  await page.keyboard.press('Enter');
}
