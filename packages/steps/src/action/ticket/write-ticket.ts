import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plan } from '@pdf2press/contract';
import { namesIn, oneLine, resolvePlaceholders } from '@pdf2press/settings';
import type { StepContext, StepFile } from '../../step.ts';
import { stepFacts } from '../../step-facts.ts';
import type { StepTools } from '../../step-runner.ts';
import { valuesFor } from '../../text-of.ts';
import type { ActionSettings } from '../contract.ts';
import { ticketToJdf } from './jdf.ts';
import { ticketFacts } from './ticket.ts';
import { ticketToXjdf } from './xjdf.ts';

const formats = {
  XJDF: { write: ticketToXjdf, extension: '.xjdf', mediaType: 'application/vnd.cip4-xjdf+xml' },
  JDF: { write: ticketToJdf, extension: '.jdf', mediaType: 'application/vnd.cip4-jdf+xml' },
} as const;

/** The check sum that both standards name. It finds damage; it protects from nobody. */
async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex').toUpperCase();
}

/** The texts of the settings, filled in. */
async function filledTexts(context: StepContext<ActionSettings>) {
  const { jobId, jobName, customer, order, copies } = context.settings;
  const { facts } = await stepFacts(context, [jobId, jobName, customer, order, copies].flatMap(namesIn));
  const fill = (text: string) => oneLine(resolvePlaceholders(text, facts, context.reader)).trim();
  return {
    // Every ticket names its job: the standards demand it.
    jobId: fill(jobId) || context.session.id,
    jobName: fill(jobName),
    customerId: fill(customer),
    orderId: fill(order),
    copies: fill(copies),
  };
}

/** A whole number from 1 to what both standards can hold; null for no text, undefined for any other. */
function readCopies(text: string): number | null | undefined {
  if (text === '') return null;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  return count >= 1 && count < 2 ** 31 ? count : undefined;
}

/**
 * Writes the ticket of the file as it is now, as a file of the step.
 * @returns the file, or the text that was to be the number of copies and is none
 * @throws FileFaultError when the PDF cannot be read
 */
export async function writeTicket(
  context: StepContext<ActionSettings>,
  tools: StepTools,
): Promise<{ file: StepFile } | { noNumber: string }> {
  const { settings, session, file, now, workDir, workflow } = context;
  const texts = await filledTexts(context);
  const copies = readCopies(texts.copies);
  if (copies === undefined) return { noNumber: texts.copies };
  const inspection = await tools.runTask('inspect', { path: file.path });
  const { result, errorCount, warningCount } = session;
  const known = {
    inspection,
    // Written by a step of ours in this run.
    plan: (await context.readMade('plan')) as Plan | undefined,
    preflight: result && { result, errors: errorCount, warnings: warningCount },
    variables: await valuesFor(
      context,
      workflow.variables.map(({ name }) => `{{${name}}}`),
    ),
  };
  const { write, extension, mediaType } = formats[settings.ticketFormat];
  const xml = write({
    ...texts,
    copies,
    createdAt: now,
    file: { name: file.name, size: file.size, md5: await md5Of(file.path), sha256: file.sha256 },
    ...ticketFacts(known),
  });
  const made = `ticket${extension}`;
  await writeFile(path.join(workDir, made), xml);
  const name = `${path.parse(file.name).name}${extension}`;
  return { file: { kind: 'Others', path: made, name, mediaType, meta: { role: 'ticket', of: file.id } } };
}
