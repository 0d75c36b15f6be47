import { gzipSync } from 'node:zlib';
import { type Browser, expect, type Page, type Response } from 'playwright/test';
import { ask, enter, patience, test } from './house.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';
import { loads, quiet, tell, type Vitals, vitalsOf, watchVitals } from './vitals.ts';

/** Of the processor, while the page of a proof is measured. */
const slowdown = 4;
const phone = { width: 390, height: 844 };
const pageCount = 24;
const readerCount = 30;
/** In which the readers come, one after the other. Milliseconds. */
const comeWithin = 3_000;
const mark = Date.now().toString(36);

/** A file that waits for an answer: the path of the link to it. */
async function makeProof(page: Page, name: string): Promise<string> {
  const email = `${name}-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { show: { separations: true } });
  const texts = Array.from({ length: pageCount }, (_, at) => `Page ${at + 1}`);
  const id = await submit(page, workflowId, `${name}-${mark}.pdf`, texts);
  await becomes(page, id, /^OnHold$/);
  return linkFor(page, email);
}

/** What a reader does first: pulls up the sheet, turns a page, and begins to decline. */
async function look(reader: Page): Promise<void> {
  await reader.getByRole('button', { name: /Show more$/ }).click();
  await reader.getByRole('button', { name: /Show more$/ }).click();
  await reader.getByRole('button', { name: /Show less$/ }).click();
  await reader.keyboard.press('ArrowRight');
  await reader.getByRole('button', { name: 'Decline' }).click();
  await reader.getByRole('dialog').getByLabel('What should change').pressSequentially('The street');
  await reader.keyboard.press('Escape');
}

/** From the press on an ink to the frame in which the page is drawn without it, or with it again, by the clock of the page, ms. */
const timeOfToggle = (reader: Page, ink: string) =>
  reader.getByRole('checkbox', { name: ink }).evaluate(
    (box: HTMLInputElement) =>
      new Promise<number>((resolve) => {
        const put = CanvasRenderingContext2D.prototype.putImageData;
        let last = 0;
        CanvasRenderingContext2D.prototype.putImageData = function (...given: unknown[]) {
          last = performance.now();
          return (put as (...all: unknown[]) => void).apply(this, given);
        };
        const from = performance.now();
        const look = (now: number) => {
          // All tiles are drawn: nothing was for a while. The frame that shows the last one comes after it.
          if (last > 0 && now - last > 150) {
            CanvasRenderingContext2D.prototype.putImageData = put;
            resolve(shown - from);
            return;
          }
          if (last > 0 && last !== seen) {
            seen = last;
            shown = now;
          }
          requestAnimationFrame(look);
        };
        let [seen, shown] = [0, 0];
        box.click();
        requestAnimationFrame(look);
      }),
    undefined,
  );

/** Opens the inks of the page and draws each of them once, so that their plates are there. */
async function openInks(reader: Page): Promise<readonly string[]> {
  await reader.getByRole('button', { name: 'Inks', exact: true }).click();
  const menu = reader.getByRole('dialog', { name: 'Inks' });
  await menu.getByText('Separations').click();
  const boxes = menu.getByRole('checkbox');
  await expect(boxes).toHaveCount(4);
  const names = await boxes.evaluateAll((all) =>
    all.map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? ''),
  );
  const canvas = reader.locator('canvas[class*=tile]').first();
  for (const name of names) {
    await menu.getByRole('checkbox', { name }).click();
    await expect(canvas).toBeVisible({ timeout: patience });
    await quiet(reader);
    await menu.getByRole('checkbox', { name }).click();
    await expect(canvas).toHaveCount(0);
  }
  return names;
}

/** KiB of what somebody loads who was never there. */
interface Weight {
  /** The first picture of a page. */
  picture: number;
  /** All scripts before the first data, after gzip; without the words of the language. */
  scripts: number;
}

async function weigh(browser: Browser, path: string): Promise<Weight> {
  const reader = await readerOf(browser, phone);
  const answers: Response[] = [];
  reader.on('response', (answer) => answers.push(answer));
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await reader.route(`**/api${path}`, async (route) => {
    await held;
    await route.continue();
  });
  await reader.goto(path);
  // The page that is shown before the app has come so far is this picture alone.
  await expect(reader.locator('#first-page')).toBeVisible();
  await expect(reader.getByText('Your proof is being opened')).toBeVisible();
  const bodies = (address: RegExp) =>
    Promise.all(answers.filter((one) => one.status() === 200 && address.test(one.url())).map((one) => one.body()));
  const [picture] = await bodies(/\/thumbnails\/1$/);
  const scripts = await bodies(/\/(?:early|assets\/(?!words\.|messages\.)[^/]+)\.js$/);
  goOn();
  await drawn(reader);
  await expect(reader.locator('#first-page')).toHaveCount(0);
  await reader.context().close();
  if (!picture) throw new Error('no picture came');
  return {
    picture: picture.length / 1024,
    scripts: scripts.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1024,
  };
}

test('proof: somebody opens it for the first time on a phone, looks, and toggles inks; how fast is told', async ({
  page,
  context,
  browser,
}) => {
  await enter(page, context);
  const path = await makeProof(page, 'quick');
  const seen: Vitals[] = [];
  const toggled: number[] = [];
  const weights: Weight[] = [];
  for (let load = 0; load < loads; load += 1) {
    weights.push(await weigh(browser, path));
    const reader = await readerOf(browser, phone);
    await watchVitals(reader);
    const line = await reader.context().newCDPSession(reader);
    await line.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    seen.push(await vitalsOf(reader, path, look));
    await drawn(reader);
    const inks = await openInks(reader);
    const [first = ''] = inks;
    // One ink stays away, so that the browser composes the page in every case.
    await reader.getByRole('checkbox', { name: first }).click();
    await quiet(reader);
    for (const ink of inks.slice(1)) {
      for (let times = 0; times < 2; times += 1) toggled.push(await timeOfToggle(reader, ink));
    }
    await reader.context().close();
  }
  for (const key of ['LCP', 'INP', 'CLS'] as const) {
    tell(
      `proof: ${key}`,
      seen.map((one) => one[key]),
    );
  }
  tell('proof: ink toggle', toggled);
  tell(
    'proof: first picture',
    weights.map(({ picture }) => picture),
  );
  tell(
    'proof: scripts',
    weights.map(({ scripts }) => scripts),
  );
});

/** Keeps all workers busy: files are checked and, while some of them wait, more are handed in. */
async function keepBusy(page: Page): Promise<{ waiting: () => Promise<number>; handIn: () => Promise<void> }> {
  const { items } = await ask<{ items: { id: string; name: string }[] }>(page, 'GET', '/workflows');
  const workflowId = items.find((workflow) => workflow.name.startsWith('Sample: preflight'))?.id ?? '';
  const ids: string[] = [];
  const handIn = async () => {
    const texts = Array.from({ length: 120 }, (_, at) => `Busy ${at}`);
    ids.push(await submit(page, workflowId, `busy-${mark}-${ids.length}.pdf`, texts));
  };
  const waiting = async () => {
    const statuses = await Promise.all(ids.map((id) => ask<{ status: string }>(page, 'GET', `/sessions/${id}`)));
    return statuses.filter(({ status }) => status === 'InQueue' || status === 'Processing').length;
  };
  return { waiting, handIn };
}

test(`proof: ${readerCount} readers of one while all workers are busy; how long they wait for its first data is told`, async ({
  page,
  context,
}) => {
  await enter(page, context);
  const path = await makeProof(page, 'crowded');
  const busy = await keepBusy(page);
  const slowest: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    for (let files = await busy.waiting(); files < 6; files += 1) await busy.handIn();
    const read = async (after: number) => {
      await new Promise((resolve) => setTimeout(resolve, after));
      const from = performance.now();
      const answer = await page.request.get(`/api${path}`);
      const time = performance.now() - from;
      expect(answer.status()).toBe(200);
      // What the page of a proof asks for next.
      const next = ['findings', 'fixes', 'pages', 'thumbnails/1'].map((part) =>
        page.request.get(`/api${path}/${part}`),
      );
      await Promise.all(next);
      return time;
    };
    const times = await Promise.all(
      Array.from({ length: readerCount }, (_, at) => read((at * comeWithin) / readerCount)),
    );
    // Otherwise nothing was measured: the workers had nothing to do.
    expect(await busy.waiting()).toBeGreaterThan(2);
    slowest.push(times.sort((a, b) => a - b)[Math.ceil(readerCount * 0.95) - 1] ?? 0);
  }
  tell('proof: first data', slowest);
});
