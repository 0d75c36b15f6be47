import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { addressOfServer } from './address-of-server.ts';
import { type MailEnvironment, mailPorts, type SmtpServer } from './send-mail.ts';

const patience = 15_000;
/** A server that says more than this before it answers is none. */
const longestReply = 16_384;

/** The number of the next reply of a server; its lines but the last have a hyphen behind it. */
const replyOf = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = '';
    const done = (settle: () => void) => {
      socket.off('data', onData).off('error', onError).off('close', onClose);
      settle();
    };
    const onError = (error: Error) => done(() => reject(error));
    const onClose = () => onError(new Error('the mail server ended the connection'));
    const onData = (part: Buffer) => {
      text += part.toString('latin1');
      const last = /^(\d{3})(?: [^\n]*)?\r?\n/m.exec(text);
      if (last) done(() => resolve(Number(last[1])));
      else if (text.length > longestReply) onError(new Error('the mail server does not speak SMTP'));
    };
    socket.on('data', onData).once('error', onError).once('close', onClose);
  });

/** Asks a server for encryption, as RFC 3207 says. */
async function startTls(socket: Socket): Promise<void> {
  const demand = async (command: string | null, wanted: number) => {
    if (command !== null) socket.write(`${command}\r\n`);
    const code = await replyOf(socket);
    if (code !== wanted) throw new Error(`the mail server answered ${code} to ${command ?? 'the connection'}`);
  };
  await demand(null, 220);
  await demand('EHLO pdf2press', 250);
  await demand('STARTTLS', 220);
}

const validUntil = (socket: TLSSocket): Promise<Date> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => resolve(new Date(socket.getPeerCertificate().valid_to)));
  });

/**
 * When the certificate at an address ends. Whether it is trusted is not asked: sending a message does that.
 * @throws the error of the connection
 */
export async function readCertificateEnd(
  { address, port, host }: { address: string; port: number; host: string },
  { isDirect }: { isDirect: boolean },
): Promise<Date> {
  const plain = connect({ host: address, port });
  plain.setTimeout(patience, () => plain.destroy(new Error('the mail server does not answer')));
  try {
    if (!isDirect) await startTls(plain);
    const secure = connectTls({ socket: plain, servername: host, rejectUnauthorized: false });
    return await validUntil(secure);
  } finally {
    plain.destroy();
  }
}

/** The port at which a server is reached. */
export const portOf = ({ port, enableSsl }: Pick<SmtpServer, 'port' | 'enableSsl'>): number =>
  port || (enableSsl ? 465 : 587);

/**
 * When the certificate of a mail server ends that encrypts its connections. It is reached as for sending a message.
 * @throws BlockedHostError, or the error of the connection
 */
export async function certificateEnd(
  { allowedHosts, hostServer }: MailEnvironment,
  server: Pick<SmtpServer, 'host' | 'port' | 'enableSsl'>,
): Promise<Date> {
  const port = portOf(server);
  const { host } = server;
  const address =
    server === hostServer ? host : await addressOfServer({ host, port }, { allowedHosts, ports: mailPorts });
  return readCertificateEnd({ address, port, host }, { isDirect: port === 465 });
}
