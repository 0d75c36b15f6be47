import { type Locale, type MessageEvent, type MessageFiles, messageOf } from '@pdf2press/contract';
import { escapeHtml, type Facts, oneLine, type Reader, resolvePlaceholders } from '@pdf2press/settings';
import { type MailBrand, mailPage, paragraphsOf } from '../page.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };
import { sanitized } from './sanitize.ts';

export type { MailBrand } from '../page.ts';

const messages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

/** What a message about a session says, with placeholders. */
export interface EventText {
  subject: string;
  /** Each line is a paragraph. */
  text: string;
  /** Of the link; empty = there is none. */
  button: string;
}

/** The product's own text about an event. */
export function eventText(event: MessageEvent, locale: Locale): EventText {
  const part = (key: string) => messageOf(messages, locale, `${event}.${key}`) ?? '';
  return { subject: part('subject'), text: part('text'), button: part('button') };
}

/**
 * Stands for a link that is the recipient's alone until the message is sent: the secret is never stored with the message.
 * The name can belong to nobody (RFC 2606).
 */
export const ownLink = 'https://link.invalid/own';

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/** A message about a session, with what it is made of for those who show it otherwise. */
export interface ComposedMessage extends ComposedMail {
  paragraphs: string[];
  link: { text: string; href: string } | undefined;
}

/**
 * A message about a session, as text and as HTML. What is filled in is text, escaped where it becomes HTML; HTML that a
 * person wrote is cleaned after it was filled in, so that no value can bring what the text may not hold.
 * @param link where the button leads; null = the event has no page to open
 */
export function composeMessage({
  texts: { subject, text, button, html = '' },
  facts,
  reader,
  brand,
  link,
}: {
  texts: EventText & { html?: string };
  facts: Facts;
  reader: Reader;
  brand: MailBrand;
  link: string | null;
}): ComposedMessage {
  const written = resolvePlaceholders(text, facts, reader);
  const paragraphs = written.split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = link !== null && button !== '' ? { text: button, href: link } : undefined;
  const body =
    html.trim() === ''
      ? paragraphsOf(paragraphs)
      : sanitized(resolvePlaceholders(html, facts, { ...reader, escape: escapeHtml }));
  return {
    paragraphs,
    link: shown,
    subject: resolvePlaceholders(subject, facts, { ...reader, escape: oneLine }),
    text: [...paragraphs, ...(shown ? [`${shown.text}: ${shown.href}`] : [])].join('\n\n'),
    html: mailPage({ locale: reader.locale, brand, body, link: shown }),
  };
}
