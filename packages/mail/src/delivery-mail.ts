import { fillIn, formatBytes, type Locale, messageOf } from '@pdf2press/contract';
import { formatDate, oneLine } from '@pdf2press/settings';
import type { ComposedMail } from './events/event-mail.ts';
import { type MailBrand, mailPage, paragraphsOf } from './page.ts';
import { mailWords } from './templates.ts';

/** What a delivery by e-mail says: its texts are filled in already. */
export interface DeliveryMail {
  subject: string;
  text: string;
  /** `link`: the file is not attached. Null = a trial. */
  file: { name: string; size: number; link: { address: string; expiresAt: Date } | null } | null;
  locale: Locale;
  timeZone: string;
  brand: MailBrand;
}

/** The message of a delivery, as text and as HTML: what a person wrote, and below it what is known of the file. */
export function composeDelivery({ subject, text, file, locale, timeZone, brand }: DeliveryMail): ComposedMail {
  const word = (key: string, params: Record<string, string> = {}) =>
    fillIn(messageOf(mailWords, locale, `delivered.${key}`) ?? '', params);
  const about = file && { name: file.name, size: formatBytes(file.size) };
  const until = file?.link ? formatDate(file.link.expiresAt, 'long', { locale, timeZone }) : '';
  const said = !about ? word('trial') : file?.link ? word('linked', { ...about, until }) : word('attached', about);
  const paragraphs = [...text.split(/\r?\n/).filter((line) => line.trim() !== ''), said];
  const link = file?.link ? { text: word('fetch'), href: file.link.address } : undefined;
  return {
    subject: oneLine(subject),
    text: [...paragraphs, ...(link ? [`${link.text}: ${link.href}`] : [])].join('\n\n'),
    html: mailPage({ locale, brand, body: paragraphsOf(paragraphs), link }),
  };
}
