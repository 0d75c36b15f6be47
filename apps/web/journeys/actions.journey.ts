import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, type Locator, type Page } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { chooseIn, endsAs, publish, run, step } from './drawing.ts';
import { ask, patience, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';

const mark = Date.now().toString(36);
const port = Number(process.env.RECEIVER_PORT ?? 0);

interface Call {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Another system that answers every call with the number of its job. */
async function listen(): Promise<{
  calls: Call[];
  close: () => Promise<void>;
}> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      calls.push({
        method,
        url,
        headers,
        body: Buffer.concat(parts).toString(),
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jobs: [{ number: 'J-4711' }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    calls,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A workflow with an action whose settings are still to be filled in; opened, with the form of the action. */
async function openAction(page: Page, name: string): Promise<Locator> {
  const id = await makeDraft(page, {
    name,
    steps: [stepOf('Inject'), stepOf('Action'), stepOf('Complete')],
    variables: [
      { name: 'copies', type: 'Number', default: '250' },
      { name: 'job', type: 'String' },
    ],
  });
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Action').click();
  return page.getByRole('complementary', { name: 'Action' });
}

test('a web address is called, signed, with what is known of the file, and its answer becomes a variable', {
  tag: '@night',
}, async ({ page }) => {
  test.skip(!port, 'RECEIVER_PORT does not say where calls may go');
  const receiver = await listen();
  await themeFollows(page.context());
  await signIn(page, '/workflows');
  const form = await openAction(page, `Calls ${mark}`);
  await expect(form.getByText('Web address: Value is required')).toBeVisible();
  await form.getByRole('textbox', { name: 'Web address' }).fill(`http://127.0.0.1:${port}/jobs?file={{file.name}}`);
  await chooseIn(form, 'Method', 'PUT');
  const body = form.getByRole('textbox', { name: 'Body', exact: true });
  await body.fill('{"copies": {{copies}}}');
  await expect(form.getByText(/JSON/).filter({ hasText: 'not' }).first()).toBeVisible();
  await body.fill('{"copies": "{{copies}}", "pages": "{{pdf.pageCount}}", "name": "{{file.baseName}}"}');
  await form.getByLabel('Signing secret').fill(`secret ${mark}`);
  await form.getByRole('button', { name: 'Keep' }).click();
  await expect(form.getByLabel('Signing secret')).toHaveAttribute('placeholder', /^Kept/);
  const headers = form.getByRole('group', { name: 'Headers' });
  await headers.getByRole('button', { name: 'Add' }).click();
  await headers.getByRole('textbox', { name: 'Name' }).fill('X-Plant');
  await headers.getByRole('textbox', { name: 'Value' }).fill('North {{workflow.version}}');
  const answer = form.getByRole('group', { name: 'From the answer' });
  await answer.getByRole('button', { name: 'Add' }).click();
  await answer.getByRole('textbox', { name: 'Place in the answer' }).fill('jobs.0.number');
  await chooseIn(answer, 'Variable', 'job');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await publish(page);

  await run(page, `Grün ${mark}.pdf`);
  await endsAs(page, /Completed/);
  expect(receiver.calls).toHaveLength(1);
  const [call] = receiver.calls as [Call];
  expect(call.method).toBe('PUT');
  expect(call.url).toBe(`/jobs?file=${encodeURIComponent(`Grün ${mark}.pdf`)}`);
  expect(JSON.parse(call.body)).toEqual({
    copies: 250,
    pages: 1,
    name: `Grün ${mark}`,
  });
  expect(call.headers).toMatchObject({
    'x-plant': 'North 1',
    'content-type': expect.stringContaining('json'),
  });
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(call.headers['x-signature'])) ?? [];
  expect(signature).toBe(createHmac('sha256', `secret ${mark}`).update(`${seconds}.${call.body}`).digest('hex'));
  await page.getByRole('tab', { name: 'Variables' }).click();
  await expect(page.getByText('J-4711')).toBeVisible();
  await receiver.close();
});

test('a message goes to the addresses of the step, each its own', { tag: '@night' }, async ({ page }) => {
  await signIn(page, '/workflows');
  const form = await openAction(page, `Writes ${mark}`);
  await chooseIn(form, 'What it does', 'Send a message');
  const to = form.getByRole('combobox', { name: 'To' });
  for (const address of [`ana-${mark}@example.com`, `piotr-${mark}@example.com`]) {
    await to.fill(address);
    await to.press('Enter');
  }
  await form.getByRole('textbox', { name: 'Subject' }).fill('{{file.name}} is here');
  await form.getByRole('textbox', { name: 'Text' }).fill('{{copies}} copies of {{pdf.pageCount}} page.');
  await chooseIn(form, 'If it fails', 'Go on with a warning');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  await publish(page);
  await run(page, `told-${mark}.pdf`);
  await endsAs(page, /Completed/);
  const kept = async () =>
    (await ask<{ to: string; subject: string; text: string }[]>(page, 'GET', '/kept-mail')).filter(({ to: of }) =>
      of.includes(mark),
    );
  await expect.poll(async () => (await kept()).length, { timeout: patience }).toBe(2);
  expect((await kept()).map((mail) => mail.to).sort()).toEqual([
    `ana-${mark}@example.com`,
    `piotr-${mark}@example.com`,
  ]);
  for (const { subject, text } of await kept()) {
    expect(subject).toBe(`told-${mark}.pdf is here`);
    expect(text).toContain('250 copies of 1 page.');
  }
});
