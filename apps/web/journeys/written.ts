import type { TestMailServer } from '@pdf2press/mail/testing';
import { expect, type Page } from 'playwright/test';
import { ask, patience } from './house.ts';

interface Settings {
  smtpSettings: object;
}

/** The house writes through another mail server, or through none; resolves to the settings before. */
export async function writeThrough(page: Page, smtpSettings: object): Promise<Settings['smtpSettings']> {
  const settings = await ask<Settings>(page, 'GET', '/SystemSettings');
  await ask(page, 'PUT', '/SystemSettings', {
    ...settings,
    smtpSettings: { ...settings.smtpSettings, ...smtpSettings },
  });
  return settings.smtpSettings;
}

/** The house writes through a mail server of the tests. */
export const writeThroughTestServer = (page: Page, { port }: TestMailServer): Promise<Settings['smtpSettings']> =>
  writeThrough(page, { host: '127.0.0.1', port, enableSsl: false, senderEmail: 'prepress@house.test' });

/** What the newest message to an address holds. */
export async function foundIn(mails: TestMailServer, to: string, what: RegExp): Promise<string> {
  const find = () => what.exec(mails.received.findLast((mail) => mail.to === to)?.text ?? '')?.[0] ?? '';
  await expect.poll(find, { timeout: patience }).not.toBe('');
  return find();
}
