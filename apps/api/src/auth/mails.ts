import { queueMail, type Reader } from '@pdf2press/engine';
import type { MailParams, MailTemplate } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';

/** Sends a mail to a person in their language: recorded in the transaction of its cause, sent by a worker. */
export const mailTo = (
  tx: Transaction,
  deps: ApiDeps,
  reader: Reader,
  template: MailTemplate,
  params: Omit<MailParams, 'app' | 'name'> = {},
): Promise<void> => queueMail(tx, deps.keys, { reader, template, params });
