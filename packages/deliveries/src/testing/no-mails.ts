import type { MailTools } from '../delivery.ts';

const refuse = () => Promise.reject(new Error('this kind writes no mails'));

/** For kinds that write no mails. */
export const noMails: MailTools = {
  trier: null,
  fillIn: refuse,
  addressesIn: () => ({ good: [], bad: [] }),
  openLink: refuse,
  verify: refuse,
  send: refuse,
};
