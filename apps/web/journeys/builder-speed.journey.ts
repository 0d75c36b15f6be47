import { expect } from 'playwright/test';
import { step } from './drawing.ts';
import { ask, enter, test } from './house.ts';
import { loads, longestFrame, quiet, tell, type Vitals, vitalsOf, watchVitals } from './vitals.ts';

/** Of the processor, while the builder is measured. */
const slowdown = 4;
const stepCount = 150;

/** A draft of 150 steps in rows of fifteen, each leading to the next. */
function manySteps() {
  const kinds = ['Inject', ...Array.from({ length: stepCount - 2 }, () => 'Hold'), 'Complete'];
  const steps = kinds.map((kind, at) => ({
    id: `s${at}`,
    kind,
    name: `${kind} ${at}`,
    position: { x: (at % 15) * 280, y: Math.floor(at / 15) * 160 },
  }));
  const edges = steps.slice(1).map(({ id: to }, at) => {
    const outcome = kinds[at] === 'Hold' ? 'continue' : 'done';
    return { id: `e${at}`, from: `s${at}`, outcome, to };
  });
  return { steps, edges };
}

test(`builder: a canvas of ${stepCount} steps is opened, dragged on and moved; how fast is told`, async ({
  page,
  context,
}) => {
  await enter(page, context);
  await page.goto('/workflows');
  const name = `Many steps ${Date.now().toString(36)}`;
  const made = await ask<{ id: string; draftRevision: number }>(page, 'POST', '/workflows', { name });
  const { draftRevision } = made;
  await ask(page, 'PUT', `/workflows/${made.id}`, { name, draft: manySteps(), draftRevision });
  await watchVitals(page);
  const line = await context.newCDPSession(page);
  await line.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const seen: Vitals[] = [];
  const dragged: number[] = [];
  const panned: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    seen.push(await vitalsOf(page, `/workflows/edit/${made.id}`));
    await expect(step(page, 'Inject 0')).toBeVisible();
    await quiet(page);
    const node = await step(page, 'Hold 1').boundingBox();
    if (!node) throw new Error('the step is not on the canvas');
    const at = { x: node.x + node.width / 2, y: node.y + node.height / 2 };
    const steadily = async (dx: number, dy: number) => {
      await page.mouse.down();
      for (let part = 1; part <= 40; part += 1) await page.mouse.move(at.x + dx * part, at.y + dy * part);
      await page.mouse.up();
    };
    await page.mouse.move(at.x, at.y);
    dragged.push(await longestFrame(page, () => steadily(3, 4)));
    await quiet(page);
    await page.mouse.move(at.x, at.y + 300);
    await page.keyboard.down('Space');
    at.y += 300;
    panned.push(await longestFrame(page, () => steadily(-6, -5)));
    await page.keyboard.up('Space');
    await page.getByRole('button', { name: 'Undo' }).click();
  }
  tell(
    'builder: LCP',
    seen.map(({ LCP }) => LCP),
  );
  tell('builder: drag', dragged);
  tell('builder: pan', panned);
});
