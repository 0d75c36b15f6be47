import { contractMessages, type Locale, sentence } from '@pdf2press/contract';
import { escapeHtml, oneLine } from '@pdf2press/settings';
import { type MailBrand, mailPage, paragraphsOf } from '../page.ts';
import type { ComposedMail, ComposedMessage } from './event-mail.ts';

/** One of the messages that a digest gathers. */
export type GatheredMessage = Pick<ComposedMessage, 'subject' | 'paragraphs'> & {
  link?: ComposedMessage['link'];
};

const blockOf = ({ subject, paragraphs, link }: GatheredMessage): string =>
  `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(subject)}</h2>${paragraphsOf(paragraphs)}` +
  (link
    ? `<p style="margin:0 0 16px"><a class="plain" href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`
    : '');

const textOf = ({ subject, paragraphs, link }: GatheredMessage): string =>
  [`# ${subject}`, ...paragraphs, ...(link ? [`${link.text}: ${link.href}`] : [])].join('\n\n');

/** Several messages to one reader as one, in their order; each in its plain words. */
export const composeDigest = ({
  messages,
  brand,
  locale,
}: {
  messages: readonly GatheredMessage[];
  brand: MailBrand;
  locale: Locale;
}): ComposedMail => ({
  subject: oneLine(sentence(contractMessages, locale, 'digest.subject', { name: brand.name, count: messages.length })),
  text: messages.map(textOf).join('\n\n\n'),
  html: mailPage({ locale, brand, body: messages.map(blockOf).join('') }),
});
