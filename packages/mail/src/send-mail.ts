import { PassThrough, type Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { AddressError, readAddress } from './address.ts';
import { addressOfServer } from './address-of-server.ts';
import type { AllowedHost } from './allowed-hosts.ts';
import { keepMail } from './kept-mail.ts';

export interface SmtpServer {
  host: string;
  /** 0 = the usual one: 465 with `enableSsl`, else 587. */
  port: number;
  username: string;
  password: string | null;
  senderEmail: string;
  /** TLS from the first byte on port 465; on other ports STARTTLS is required. */
  enableSsl: boolean;
}

/** Settings for every message of this installation. */
export interface MailEnvironment {
  /** Folder for messages while there is no server. */
  keepFolder: string;
  /** The server from the environment: used where a subscriber has set none, and not checked for private addresses. */
  hostServer?: SmtpServer | undefined;
  /** Hosts on private networks that subscribers may name. */
  allowedHosts: readonly AllowedHost[];
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Shown as the sender; empty or absent = the address alone. */
  fromName?: string;
  replyTo?: string;
  /** What its readers see in To and Cc where others are written to as well; it is still sent to `to` alone. */
  shownTo?: readonly string[];
  shownCc?: readonly string[];
  /** What the HTML names by `cid:logo`. */
  logo?: { content: Buffer; contentType: string };
  /** Opened only when the message is sent. */
  files?: readonly { filename: string; contentType: string; open: () => Promise<Readable> }[];
  /** The same for every attempt of one message, so that receivers can recognise a repetition. */
  messageId?: string;
  /** Of the message that this one answers by itself. */
  inReplyTo?: string;
}

/**
 * A message that was not acknowledged. `isFinal`: the server refused it for good (a 5xx about its recipient or content).
 * `isUnknown`: all of it was sent and no answer came, so it may have been delivered.
 */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError';
  readonly isFinal: boolean;
  readonly isUnknown: boolean;
  constructor({ isFinal, isUnknown, cause }: { isFinal: boolean; isUnknown: boolean; cause: unknown }) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isFinal = isFinal;
    this.isUnknown = isUnknown;
  }
}

/** Where settings may name a mail server. */
export const mailPorts = [25, 465, 587, 2525];
const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ').slice(0, 300);

const addressed = (addresses: readonly string[]) =>
  addresses.map((address) => ({ name: '', address: readAddress(address) }));

const opened = (files: NonNullable<Mail['files']>) =>
  Promise.all(files.map(async ({ filename, contentType, open }) => ({ filename, contentType, content: await open() })));

const aboutTheMessage = new Set(['EENVELOPE', 'EMESSAGE']);

function undelivered(cause: unknown, isHandedOver: boolean): UndeliveredError {
  const { responseCode, code } = cause as { responseCode?: number; code?: string };
  const isFinal = (responseCode ?? 0) >= 500 && aboutTheMessage.has(code ?? '');
  return new UndeliveredError({ isFinal, isUnknown: isHandedOver && responseCode === undefined, cause });
}

async function transportTo(server: SmtpServer, { allowedHosts, hostServer }: MailEnvironment) {
  const port = server.port || (server.enableSsl ? 465 : 587);
  const address =
    server === hostServer
      ? server.host
      : await addressOfServer({ host: server.host, port }, { allowedHosts, ports: mailPorts });
  return createTransport({
    host: address,
    port,
    secure: server.enableSsl && port === 465,
    requireTLS: server.enableSsl && port !== 465,
    ignoreTLS: !server.enableSsl,
    tls: { servername: server.host },
    ...(server.username ? { auth: { user: server.username, pass: server.password ?? '' } } : {}),
    connectionTimeout: 5_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Sends a message through the subscriber's server, else through the installation's, else stores it on disk.
 * @throws AddressError, BlockedHostError, UndeliveredError
 */
export async function sendMail(
  environment: MailEnvironment,
  { subscriberId, server, mail }: { subscriberId: string; server?: SmtpServer | undefined; mail: Mail },
): Promise<'sent' | 'kept'> {
  const to = readAddress(mail.to);
  const subject = oneLine(mail.subject);
  const chosen = server?.host ? server : environment.hostServer;
  if (!chosen) {
    await keepMail(environment.keepFolder, subscriberId, { to, subject, text: mail.text });
    return 'kept';
  }
  const sender = readAddress(chosen.senderEmail || chosen.username);
  const transport = await transportTo(chosen, environment);
  let isHandedOver = false;
  transport.use('stream', (message, done) => {
    message.message.transform(
      new PassThrough({
        flush: (end) => {
          isHandedOver = true;
          end();
        },
      }),
    );
    done();
  });
  try {
    await transport.sendMail({
      from: { name: oneLine(mail.fromName ?? ''), address: sender },
      to: addressed(mail.shownTo ?? [to]),
      ...(mail.shownCc?.length ? { cc: addressed(mail.shownCc) } : {}),
      ...(mail.replyTo ? { replyTo: { name: '', address: readAddress(mail.replyTo) } } : {}),
      envelope: { from: sender, to: [to] },
      subject,
      text: mail.text,
      html: mail.html,
      attachments: [...(mail.logo ? [{ ...mail.logo, cid: 'logo' }] : []), ...(await opened(mail.files ?? []))],
      // The second is how a mailbox of the product knows its own mails.
      headers: { 'Auto-Submitted': mail.inReplyTo ? 'auto-replied' : 'auto-generated', 'X-Pdf2press': 'sent' },
      ...(mail.inReplyTo ? { inReplyTo: mail.inReplyTo, references: mail.inReplyTo } : {}),
      ...(mail.messageId ? { messageId: mail.messageId } : {}),
    });
    return 'sent';
  } catch (error) {
    throw error instanceof AddressError ? error : undelivered(error, isHandedOver);
  } finally {
    transport.close();
  }
}

/** Connects and signs in. @throws the error of the connection */
export async function verifyServer(environment: MailEnvironment, server: SmtpServer): Promise<void> {
  const transport = await transportTo(server, environment);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
