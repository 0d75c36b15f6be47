import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps what it takes. */
export interface TestMailServer {
  port: number;
  /** Each message with who it is for. */
  received: { to: string; text: string }[];
  /** Addresses that have no mailbox. */
  refused: string[];
  /** Addresses that are to be tried again later. */
  busy: string[];
  stop(): Promise<void>;
}

/** A message without the soft line ends and the codes of quoted-printable (RFC 2045, 6.7). */
export const decodedMail = (raw: string): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (codes) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString());

/** @param read makes the kept text of a message as it was sent */
export async function startMailServer(read = (raw: string): string => raw): Promise<TestMailServer> {
  const kept: Pick<TestMailServer, 'received' | 'refused' | 'busy'> = { received: [], refused: [], busy: [] };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      kept.refused.includes(address)
        ? done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
        : kept.busy.includes(address)
          ? done(Object.assign(new Error('come again'), { responseCode: 451 }))
          : done(),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        kept.received.push({ to, text: read(Buffer.concat(parts).toString()) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
  const { port } = smtp.server.address() as AddressInfo;
  return Object.assign(kept, { port, stop: () => new Promise<void>((resolve) => smtp.close(resolve)) });
}
