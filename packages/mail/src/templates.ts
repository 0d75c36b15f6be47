import { contractMessages, type Locale, type MessageFiles, messageOf, sentence } from '@pdf2press/contract';
import {
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
import { type MailBrand, mailPage, paragraphsOf } from './page.ts';

/** Messages the product writes by itself. Each has `subject`, `body` and, where it leads somewhere, `button`. */
export const mailTemplates = [
  'activation',
  'reset',
  'passwordChanged',
  'secondFactorOn',
  'secondFactorOff',
  'passkeyAdded',
  'signOnLinked',
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
  'proofCode',
  'proofReminded',
  'organizationWelcome',
  'uploadReceived',
  'mailReceived',
  'mailPartly',
  'mailRefused',
  'mailUnusable',
  'mailWaits',
  'notice',
  'notices',
  'test',
] as const;
export type MailTemplate = (typeof mailTemplates)[number];

export interface MailParams {
  /** Title of the app. */
  app: string;
  /** Name of the person written to. */
  name: string;
  link?: string;
  /** Browser and address of a sign-in, or what confirms one: a passkey, a service. */
  device?: string;
  ip?: string;
  minutes?: number;
  /** Names of those it is about. */
  people?: string;
  /** Digits to enter on a page. */
  code?: string;
  /** What the answers to a proof are called in the words of its profile; absent = as everywhere. */
  approve?: string;
  decline?: string;
  /** Name of a session's file. */
  file?: string;
  /** Name of the organization that it is about. */
  organization?: string;
  /** What the sender of files asks by. */
  reference?: string;
  /** Why files of a mail were not taken, each on a line. */
  problems?: string;
  /** The first of the notifications that it tells of. */
  headline?: string;
  /** Notifications: what is the matter, what to do and where, each on lines of its own. */
  notices?: string;
}

const messages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };
/** The words of the product's own messages. */
export const mailWords = messages;

const text = (example: string): Variable => ({ type: 'String', example });
const ownVariables = {
  'link.url': text('https://print.example/reset#token=1'),
  'link.minutes': { type: 'Number', example: 60 },
  'link.code': text('402817'),
  'proof.people': text('Anna Weber, Ben Meyer'),
  'proof.approve': text('Approve'),
  'proof.decline': text('Decline'),
  'lock.minutes': { type: 'Number', example: 15 },
  'signIn.device': text('Firefox on Windows'),
  'signIn.address': text('203.0.113.7'),
  'upload.reference': text('K7M2-9QXD'),
  'upload.problems': text('2: The file is not a PDF.'),
  'notice.headline': text('No worker runs.'),
  'notice.list': text('No worker runs. Start one.'),
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

const factsFor = (
  locale: Locale,
  {
    app,
    name,
    link,
    device,
    ip,
    minutes,
    code,
    people,
    file,
    organization,
    reference,
    problems,
    headline,
    notices,
    approve = sentence(contractMessages, locale, 'proof.approve'),
    decline = sentence(contractMessages, locale, 'proof.decline'),
  }: MailParams,
) =>
  factsOf(
    {
      'app.title': app,
      'user.name': name,
      'file.name': file,
      'org.name': organization,
      'upload.reference': reference,
      'upload.problems': problems,
      'notice.headline': headline,
      'notice.list': notices,
      'link.url': link,
      'link.minutes': minutes,
      'link.code': code,
      'proof.people': people,
      'proof.approve': approve,
      'proof.decline': decline,
      'lock.minutes': minutes,
      'signIn.device': device,
      'signIn.address': ip,
    } satisfies Record<'app.title' | 'user.name' | 'file.name' | 'org.name' | keyof typeof ownVariables, unknown>,
    (variable) => mailNames.get(variable)?.type,
  );

/** Messages about accounts and the installation itself look like the product. */
const houseBrand = (app: string): MailBrand => ({ name: app, color: null, logo: null });

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
 * @param brand whose look it has; without one it looks like the product
 */
export function renderMail(
  template: MailTemplate,
  locale: Locale,
  params: MailParams,
  brand: MailBrand = houseBrand(params.app),
): { subject: string; text: string; html: string } {
  const { subject, paragraphs, button } = mailSource(template, locale);
  const facts = factsFor(locale, params);
  // No template shows a length or a date, so unit and time zone decide nothing.
  const reader = { locale, unit: 'Millimeters', timeZone: 'UTC' } as const;
  const filled = paragraphs.flatMap((paragraph) => resolvePlaceholders(paragraph, facts, reader).split('\n'));
  const withLink = button && params.link ? { text: button, href: params.link } : undefined;
  return {
    subject: resolvePlaceholders(subject, facts, { ...reader, escape: oneLine }),
    text: [...filled, ...(withLink ? [withLink.href] : [])].join('\n\n'),
    html: mailPage({ locale, brand, body: paragraphsOf(filled), link: withLink }),
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
  const body = paragraphsOf(paragraphs);
  return { subject: oneLine(subject), text: written, html: mailPage({ locale, brand: houseBrand(app), body }) };
}
