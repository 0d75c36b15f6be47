import type { Page } from 'playwright/test';

/**
 * Texts that are cut off, as `tag.class: text`. Elements with the full text in a `title`, and those that scroll, are
 * allowed.
 */
export const clippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const slack = 1;
    const faults: string[] = [];
    const scrolls = (value: string) => value === 'auto' || value === 'scroll';
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
      );
      if (!hasText || element.closest('.visually-hidden, [title], svg, option, textarea, input')) continue;
      const { overflowX, overflowY, display, visibility } = getComputedStyle(element);
      if (visibility === 'hidden' || display === 'none' || display === 'inline' || element.clientWidth === 0) continue;
      const isWide = element.scrollWidth > element.clientWidth + slack && !scrolls(overflowX);
      // The descent of a line may exceed a tight box; a second line may not.
      const isHigh =
        overflowY === 'hidden' &&
        element.scrollHeight > element.clientHeight + parseFloat(getComputedStyle(element).fontSize) / 2;
      if (isWide || isHigh) {
        faults.push(
          `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.trim().slice(0, 60)}`,
        );
      }
    }
    return faults;
  });

/**
 * Elements that make the page scroll sideways, as `tag.class to its right edge`; empty when there are none. The layout of a
 * resized page may take several frames, so an element must still exceed the page a moment later.
 */
export async function standsOut(page: Page): Promise<string[]> {
  for (const wait of [0, 100, 400, 1_500]) {
    await page.waitForTimeout(wait);
    const found = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.querySelectorAll<HTMLElement>('body *')]
        .map((element) => ({ element, right: Math.round(element.getBoundingClientRect().right) }))
        .filter(({ right }) => right > clientWidth)
        .map(({ element, right }) => `${element.tagName.toLowerCase()}.${element.className} to ${right}`);
      return [`${scrollWidth} of ${clientWidth}`, ...wide.slice(0, 5)];
    });
    if (found.length === 0) return [];
    if (wait === 1_500) return found;
  }
  return [];
}
