import { expect, type Page, test } from 'playwright/test';

/**
 * Times are recorded here and not compared with limits, because other programs may slow the machine. The benchmark `web`
 * runs these tests alone, with several loads each, and compares the medians with their limits.
 */
export const loads = Number(process.env.MEASURE_LOADS ?? 1);

/** Writes the values into the report, for the benchmark, and on the terminal. */
export function tell(name: string, values: readonly number[]): void {
  test.info().annotations.push({ type: 'measured', description: `${name}=${values.join(' ')}` });
  console.log(`${name}: ${values.map((value) => Number(value.toPrecision(3))).join(', ')}`);
}

/** Web vitals of a page: milliseconds, and for CLS the sum of the layout shift scores. */
export interface Vitals {
  LCP: number;
  CLS: number;
  /** The slowest interaction from input to the next frame. */
  INP: number;
  /** The longest task after the page was complete. */
  'long task': number;
}

const gather = () => {
  const vitals = { LCP: 0, CLS: 0, INP: 0, 'long task': 0, isThere: false };
  (window as unknown as { vitals: typeof vitals }).vitals = vitals;
  type Entry = PerformanceEntry & { value?: number; hadRecentInput?: boolean; interactionId?: number };
  const observe = (type: string, take: (entry: Entry) => void, more: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as Entry);
    }).observe({ type, buffered: true, ...more });
  observe('largest-contentful-paint', (entry) => {
    vitals.LCP = entry.startTime;
  });
  observe('layout-shift', (entry) => {
    if (!entry.hadRecentInput) vitals.CLS += entry.value ?? 0;
  });
  observe('longtask', (entry) => {
    if (vitals.isThere) vitals['long task'] = Math.max(vitals['long task'], entry.duration);
  });
  observe(
    'event',
    (entry) => {
      if (entry.interactionId) vitals.INP = Math.max(vitals.INP, entry.duration);
    },
    { durationThreshold: 16 },
  );
};

/** Starts measuring with the next document of a page. */
export const watchVitals = (page: Page): Promise<unknown> => page.context().addInitScript(gather);

/** Waits until all work is done and painted: the browser is idle, twice. */
export const quiet = (page: Page) =>
  page.evaluate(async () => {
    for (let times = 0; times < 2; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }));
    }
  });

/** One load of a page and what a visitor does on it first. */
export async function vitalsOf(page: Page, path: string, act?: (page: Page) => Promise<void>): Promise<Vitals> {
  await page.goto('about:blank');
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await quiet(page);
  // A shift that follows a press late, because the processor is slow, is not an unexpected shift.
  const { LCP, CLS } = await page.evaluate(() => {
    const { vitals } = window as unknown as { vitals: Vitals & { isThere: boolean } };
    vitals.isThere = true;
    return vitals;
  });
  await act?.(page);
  // The last interaction is reported with a later frame.
  await quiet(page);
  return { ...(await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)), LCP, CLS };
}

/**
 * The longest time between two frames while something is done, as the page itself sees it, in whole ms: its clock tells
 * tenths, so that three frames of sixty in a second are 50 ms at one time and 50.1 at another.
 */
export async function longestFrame(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const times: number[] = [];
    (window as unknown as { frames: number[] }).frames = times;
    const tick = (now: number) => {
      times.push(now);
      if (times.length < 5_000) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  const times = await page.evaluate(() => (window as unknown as { frames: number[] }).frames.splice(0));
  return Math.round(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? time))));
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
