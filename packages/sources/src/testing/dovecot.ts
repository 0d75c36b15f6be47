/* Exported as `@pdf2press/sources/testing`: a real mail server for the tests of any package, where the machine has one. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { freePort } from '@pdf2press/config/free-port';
import { ImapFlow } from 'imapflow';

/** `/usr/sbin` is not on the PATH of everybody who may start it. */
const program = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']
  .map((folder) => path.join(folder, 'dovecot'))
  .find((file) => existsSync(file));

/** False where there is none: tests that need it are skipped. */
export const hasDovecot = program !== undefined;

/** Whether the server greets; a connection may be accepted before anybody is there to do so. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const end = (greets: boolean) => {
      socket.destroy();
      resolve(greets);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });

export interface TestMail {
  from?: string;
  subject?: string;
  messageId?: string;
  date?: string;
  /** More lines of the header. */
  headers?: readonly string[];
  text?: string;
  attachments?: readonly {
    name: string;
    type?: string;
    content: string | Buffer;
  }[];
}

const boundary = 'a-boundary-of-the-test';

/** The bytes of a mail with attachments, as mail programs write it. */
export function composeTestMail({
  from = 'anna@example.com',
  subject = 'Order',
  messageId = `<${Math.random().toString(36).slice(2)}@example.com>`,
  date = new Date().toUTCString(),
  headers = [],
  text = 'Please print.',
  attachments = [],
}: TestMail): string {
  const parts = attachments.map(({ name, type = 'application/pdf', content }) =>
    [
      `Content-Type: ${type}; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      (
        Buffer.from(content)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n'),
    ].join('\r\n'),
  );
  return [
    `From: ${from}`,
    'To: orders@example.com',
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    `Date: ${date}`,
    ...headers,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...[`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`, ...parts].map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

/** A mail with one attachment of so many bytes, in pieces; nobody holds it whole. */
export function* composeLargeMail(name: string, bytes: number): Generator<string> {
  const mark = 'CONTENT';
  const mail = composeTestMail({ attachments: [{ name, content: mark }] });
  const [head = '', tail = ''] = mail.split(Buffer.from(mark).toString('base64'));
  // 57 bytes are a line of 76 letters (RFC 2045, 6.8); most of the file is zeros.
  const lines = Math.ceil(bytes / 57);
  const atOnce = 10_000;
  const begin = Buffer.from('%PDF-1.4 '.padEnd(57, 'x')).toString('base64');
  const zeros = `${'A'.repeat(76)}\r\n`;
  const many = zeros.repeat(atOnce);
  yield `${head}${begin}\r\n`;
  let left = lines - 1;
  for (; left > atOnce; left -= atOnce) yield many;
  yield `${zeros.repeat(left)}${tail}`;
}

export interface TestDovecot {
  /** IMAP in clear text, and with STARTTLS. */
  port: number;
  /** IMAP over TLS with a certificate that nobody has signed. */
  tlsPort: number;
  /** The password of every user; a user is made by using the name. */
  password: string;
  /** A connection for what the test does itself. */
  connect(user: string): Promise<ImapFlow>;
  /** Puts a mail into a mailbox. Resolves to its UID. */
  put(user: string, mail: TestMail | string, options?: { folder?: string; receivedAt?: Date }): Promise<number>;
  /** Puts many mails into the inbox, on one connection; each is made when its turn has come. */
  putMany(user: string, mails: readonly (() => TestMail)[]): Promise<void>;
  /** Puts a mail into the inbox as whoever delivers on the server itself does: written as it comes, and then there. */
  deliver(user: string, mail: Iterable<string>): Promise<void>;
  /** UIDs and flags of what is in a folder. */
  mails(user: string, folder?: string): Promise<{ uid: number; flags: string[] }[]>;
  /** Makes the server number all mails of the inbox anew, as after a move to another server. */
  renumber(user: string): Promise<void>;
  /** Stops the server from answering, and lets it go on. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Starts Dovecot on free ports of the loopback, with mailboxes in a folder of its own. With the address of a service it also
 * takes the access tokens that the service calls active (XOAUTH2; RFC 7662).
 */
export async function startDovecot({ introspection }: { introspection?: string } = {}): Promise<TestDovecot> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  // A short path: its sockets have names of at most 108 bytes.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dove-'));
  const mailFolder = path.join(folder, 'mail');
  for (const name of ['run', 'state', 'mail']) mkdirSync(path.join(folder, name));
  // It refuses to be root's.
  const { username } = os.userInfo();
  const me = username === 'root' ? 'nobody' : username;
  const ask = (what: string) => execFileSync('id', [what, me], { encoding: 'utf8' }).trim();
  const [group, uid, gid] = [ask('-gn'), Number(ask('-u')), Number(ask('-g'))];
  const password = 'secretOfTheTest';
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...asked, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  for (const place of ['', 'run', 'state', 'mail', 'cert.pem', 'key.pem'])
    chownSync(path.join(folder, place), uid, gid);
  const tokens = path.join(folder, 'oauth2.conf');
  writeFileSync(
    tokens,
    `introspection_mode = post
introspection_url = ${introspection}
username_attribute = email
active_attribute = active
active_value = true
`,
  );
  // Tests connect several times a second: processes that serve one connection after the other are started less often.
  const config = path.join(folder, 'dovecot.conf');
  writeFileSync(
    config,
    `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
auth_mechanisms = plain login${introspection === undefined ? '' : ' xoauth2 oauthbearer'}
ssl = yes
ssl_cert = <${cert}
ssl_key = <${key}
disable_plaintext_auth = no
default_internal_user = ${me}
default_internal_group = ${group}
default_login_user = ${me}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${mailFolder}/%u
mail_uid = ${me}
mail_gid = ${group}
mail_fsync = never
auth_failure_delay = 0
passdb {
  driver = static
  mechanisms = plain login
  args = password=${password}
}
${introspection === undefined ? '' : `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${tokens}\n}`}
userdb {
  driver = static
  args = uid=${me} gid=${group} home=${mailFolder}/%u
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  service_count = 0
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
  }
}
service imap {
  service_count = 1000
}
service anvil {
  chroot =
}
service auth {
  extra_groups =
}
service stats {
  chroot =
}
`,
  );
  const child: ChildProcess = spawn(program ?? '', ['-F', '-c', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...(username === 'root' && { uid, gid }),
  });
  let said = '';
  child.stderr?.on('data', (chunk) => (said += chunk));
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 400 || child.exitCode !== null) {
      const log = path.join(folder, 'log');
      throw new Error(`dovecot did not start: ${said}${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const connect = async (user: string) => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port,
      secure: false,
      doSTARTTLS: false,
      auth: { user, pass: password },
      logger: false,
      disableAutoIdle: true,
    });
    client.on('error', () => client.close());
    await client.connect();
    return client;
  };
  const within = async <T>(user: string, work: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const client = await connect(user);
    try {
      return await work(client);
    } finally {
      client.close();
    }
  };
  // The master process and all that it started: they are one process group.
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name);
  return {
    port,
    tlsPort,
    password,
    connect,
    put: (user, mail, { folder: into = 'INBOX', receivedAt } = {}) =>
      within(user, async (client) => {
        const text = typeof mail === 'string' ? mail : composeTestMail(mail);
        const added = await client.append(into, text, [], receivedAt);
        return added ? (added.uid ?? 0) : 0;
      }),
    putMany: (user, mails) =>
      within(user, async (client) => {
        for (const mail of mails) await client.append('INBOX', composeTestMail(mail()), []);
      }),
    deliver: async (user, mail) => {
      // Made by its first use.
      await within(user, (client) => client.mailboxOpen('INBOX', { readOnly: true }));
      const name = `${Date.now()}.${process.pid}.test`;
      const [begun, there] = ['tmp', 'new'].map((part) => path.join(mailFolder, user, part, name));
      if (!begun || !there) throw new Error('a mail has no name');
      await pipeline(mail, createWriteStream(begun));
      chownSync(begun, uid, gid);
      renameSync(begun, there);
    },
    mails: (user, from = 'INBOX') =>
      within(user, async (client) => {
        await client.mailboxOpen(from, { readOnly: true });
        const found = await client.fetchAll('1:*', { uid: true, flags: true });
        return found.map(({ uid, flags }) => ({
          uid,
          flags: [...(flags ?? [])].filter((flag) => flag !== '\\Recent'),
        }));
      }),
    renumber: async (user) => {
      for (const name of [
        'dovecot-uidlist',
        'dovecot.index',
        'dovecot.index.log',
        'dovecot.index.cache',
        'dovecot-uidvalidity',
      ])
        rmSync(path.join(mailFolder, user, name), { force: true });
      // A numbering is named by the second it was made in.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        signal('SIGKILL');
      }),
  };
}
