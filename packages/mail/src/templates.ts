import { fillIn, type Locale, type MessageFiles } from '@pdf2press/contract';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Messages the product writes by itself. Each has `subject`, `body` and, where it leads somewhere, `button`. */
export const mailTemplates = [
  'activation',
  'reset',
  'passwordChanged',
  'newDevice',
  'locked',
  'tokenReuse',
  'sessionArchived',
  'archivingFailed',
  'test',
] as const;
export type MailTemplate = (typeof mailTemplates)[number];

export interface MailParams {
  /** Title of the app. */
  app: string;
  /** Name of the person written to. */
  name: string;
  link?: string;
  /** Browser and address of a sign-in. */
  device?: string;
  ip?: string;
  minutes?: number;
  /** Name of a session's file. */
  file?: string;
}

const messages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

// Inline styles and one table: what mail programs agree on. No picture, no address of another host.
const page = (
  locale: Locale,
  paragraphs: readonly string[],
  button: { text: string; link: string } | undefined,
  app: string,
) =>
  `<!doctype html><html lang="${locale}"><body style="margin:0;background:#f1f5f9;font-family:Inter,Arial,sans-serif;color:#0f172a">` +
  `<table role="presentation" width="100%"><tr><td align="center" style="padding:32px 16px">` +
  `<table role="presentation" width="560" style="max-width:560px;background:#fff;border-radius:8px"><tr><td style="padding:32px;font-size:15px;line-height:1.55">` +
  `<p style="margin:0 0 24px;font-weight:700;color:#0f766e">${escapeHtml(app)}</p>` +
  paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('') +
  (button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.link)}" style="background:#0f766e;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${escapeHtml(button.text)}</a></p>` +
      `<p style="margin:0;font-size:13px;color:#475569;word-break:break-all">${escapeHtml(button.link)}</p>`
    : '') +
  '</td></tr></table></td></tr></table></body></html>';

/**
 * A message in the reader's language, as text and as HTML. Templates hold places and no logic; everything filled in is
 * text, escaped where it becomes HTML.
 */
export function renderMail(
  template: MailTemplate,
  locale: Locale,
  params: MailParams,
): { subject: string; text: string; html: string } {
  const say = (part: string) => messages[locale][`${template}.${part}`] ?? messages.en[`${template}.${part}`];
  const values = { ...params };
  const greeting = fillIn(messages[locale].greeting ?? messages.en.greeting ?? '', values);
  const paragraphs = [greeting, ...fillIn(say('body') ?? '', values).split('\n')];
  const button = say('button');
  const withLink = button && params.link ? { text: button, link: params.link } : undefined;
  return {
    subject: fillIn(say('subject') ?? template, values),
    text: [...paragraphs, ...(withLink ? [withLink.link] : [])].join('\n\n'),
    html: page(locale, paragraphs, withLink, params.app),
  };
}
