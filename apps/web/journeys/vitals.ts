import { expect, type Page, test } from 'playwright/test';

/**
 * Times are told here, never judged: how fast a machine is that others work on says nothing about the product. The
 * bench `web` runs these journeys alone, several loads each, and holds the medians against what is promised.
 */
export const loads = Number(process.env.MEASURE_LOADS ?? 1);

/** Puts values of the loads into the run's report, for the bench, and on the terminal, for whoever watches. */
export function tell(name: string, values: readonly number[]): void {
  test.info().annotations.push({ type: 'measured', description: `${name}=${values.join(' ')}` });
  console.log(`${name}: ${values.map((value) => Number(value.toPrecision(3))).join(', ')}`);
}

/** What a browser tells about a page: milliseconds, and for CLS the sum of shifted shares. */
export interface Vitals {
  LCP: number;
  CLS: number;
  /** The slowest interaction from input to the next frame. */
  INP: number;
  /** The longest task after everything was there. */
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

/** Lets a page tell about itself from its next document on. */
export const watchVitals = (page: Page): Promise<unknown> => page.context().addInitScript(gather);

/** Everything that was under way has been done and painted: the browser is idle, twice. */
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
  // What a press moves half a second late, because the processor is slow, is no shift of its own accord.
  const { LCP, CLS } = await page.evaluate(() => {
    const { vitals } = window as unknown as { vitals: Vitals & { isThere: boolean } };
    vitals.isThere = true;
    return vitals;
  });
  await act?.(page);
  // The last interaction is told with the frames after it.
  await quiet(page);
  return { ...(await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)), LCP, CLS };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
