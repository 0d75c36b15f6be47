import { expect, type Page } from 'playwright/test';
import { ask, patience, sampleWorkflow, tokenOf } from './house.ts';
import { makePdf } from './make-pdf.ts';

/** Submits a PDF outside the browser, with a page for each text; answers the id of its session. */
export async function submit(
  page: Page,
  workflowId: string,
  name: string,
  texts = [name],
  pdf = makePdf(texts),
): Promise<string> {
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
    multipart: { workflowId, file: { name, mimeType: 'application/pdf', buffer: pdf } },
  });
  const { result } = (await answer.json()) as { result: { id: string } };
  return result.id;
}

/** Submits a PDF to the sample workflow outside the browser; answers the id of its session. */
export async function submitToSample(page: Page, name: string, pdf: Buffer): Promise<string> {
  const { items } = await ask<{ items: { id: string; name: string }[] }>(page, 'GET', '/workflows?pageSize=100');
  const workflowId = items.find((workflow) => sampleWorkflow.test(workflow.name))?.id ?? '';
  return submit(page, workflowId, name, [], pdf);
}

/** Waits until a session has this status. */
export const becomes = (page: Page, id: string, status: RegExp) =>
  expect
    .poll(async () => (await ask<{ status: string }>(page, 'GET', `/sessions/${id}`)).status, { timeout: patience })
    .toMatch(status);
