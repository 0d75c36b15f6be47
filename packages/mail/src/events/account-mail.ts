import type { AccountEvent, Locale } from '@pdf2press/contract';
import { type MailTemplate, mailSource } from '../templates.ts';
import type { EventText } from './event-mail.ts';

/** The product's own message about each event of an account. */
export const accountTemplates = {
  UserActivation: 'activation',
  PasswordReset: 'reset',
  OrganisationWelcome: 'organizationWelcome',
} as const satisfies Record<AccountEvent, MailTemplate>;

/** The product's own text about an event of an account. */
export function accountText(event: AccountEvent, locale: Locale): EventText {
  const { subject, paragraphs, button } = mailSource(accountTemplates[event], locale);
  return { subject, text: paragraphs.join('\n'), button };
}
