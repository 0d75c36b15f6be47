import type { Page } from 'playwright/test';

/**
 * Texts that do not fit where they stand, as `tag.class: text`. Cut off on purpose is only what says itself in full
 * elsewhere (a `title`) and what scrolls.
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
      // The descent of a line may stand out of a tight box; a second line may not.
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

/** Whether the page as a whole must be scrolled sideways to be read. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
