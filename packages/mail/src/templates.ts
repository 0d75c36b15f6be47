import { type Locale, type MessageFiles, messageOf } from '@pdf2press/contract';
import {
  escapeHtml,
  factsOf,
  knownNames,
  oneLine,
  resolvePlaceholders,
  sessionVariables,
  type Variable,
} from '@pdf2press/settings';
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
  'holdReminder',
  'holdEscalated',
  'proofRequest',
  'proofVersion',
  'proofReminder',
  'uploadReceived',
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
  /** Name of the organization that it is about. */
  organization?: string;
  /** What the sender of files asks by. */
  reference?: string;
}

const messages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

const text = (example: string): Variable => ({ type: 'String', example });
const ownVariables = {
  'link.url': text('https://print.example/reset#token=1'),
  'link.minutes': { type: 'Number', example: 60 },
  'lock.minutes': { type: 'Number', example: 15 },
  'signIn.device': text('Firefox on Windows'),
  'signIn.address': text('203.0.113.7'),
  'upload.reference': text('K7M2-9QXD'),
} as const satisfies Record<string, Variable>;
/** What the product's own messages may name; of a session's variables those that every message has. */
export const mailNames = knownNames({
  own: {
    ...ownVariables,
    'app.title': sessionVariables['app.title'],
    'user.name': sessionVariables['user.name'],
    'file.name': sessionVariables['file.name'],
    'org.name': sessionVariables['org.name'],
  },
  hasSession: false,
  variables: [],
});

const factsFor = ({ app, name, link, device, ip, minutes, file, organization, reference }: MailParams) =>
  factsOf(
    {
      'app.title': app,
      'user.name': name,
      'file.name': file,
      'org.name': organization,
      'upload.reference': reference,
      'link.url': link,
      'link.minutes': minutes,
      'lock.minutes': minutes,
      'signIn.device': device,
      'signIn.address': ip,
    } satisfies Record<'app.title' | 'user.name' | 'file.name' | 'org.name' | keyof typeof ownVariables, unknown>,
    (variable) => mailNames.get(variable)?.type,
  );

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

/** A message as its file holds it, placeholders not filled in. */
export const mailSource = (template: MailTemplate, locale: Locale) => {
  const part = (key: string) => messageOf(messages, locale, key) ?? '';
  return {
    subject: part(`${template}.subject`),
    // Some greet nobody by a name, because a stranger may have given it.
    paragraphs: [part(`${template}.greeting`) || part('greeting'), ...part(`${template}.body`).split('\n')],
    button: part(`${template}.button`),
  };
};

/**
 * A message in the reader's language, as text and as HTML. Templates hold placeholders and no logic; everything filled in
 * is text, escaped where it becomes HTML.
 */
export function renderMail(
  template: MailTemplate,
  locale: Locale,
  params: MailParams,
): { subject: string; text: string; html: string } {
  const { subject, paragraphs, button } = mailSource(template, locale);
  const facts = factsFor(params);
  // No template shows a length or a date, so unit and time zone decide nothing.
  const reader = { locale, unit: 'Millimeters', timeZone: 'UTC' } as const;
  const filled = paragraphs.map((paragraph) => resolvePlaceholders(paragraph, facts, reader));
  const withLink = button && params.link ? { text: button, link: params.link } : undefined;
  return {
    subject: resolvePlaceholders(subject, facts, { ...reader, escape: oneLine }),
    text: [...filled, ...(withLink ? [withLink.link] : [])].join('\n\n'),
    html: page(locale, filled, withLink, params.app),
  };
}

/** A message whose texts a person wrote, as text and as HTML: each line is a paragraph. */
export function composeMail({
  subject,
  text: written,
  locale,
  app,
}: {
  subject: string;
  text: string;
  locale: Locale;
  app: string;
}): { subject: string; text: string; html: string } {
  const paragraphs = written.split(/\r?\n/).filter((line) => line.trim() !== '');
  return { subject: oneLine(subject), text: written, html: page(locale, paragraphs, undefined, app) };
}
