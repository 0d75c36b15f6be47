import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { BlockedHostError } from './mail.ts';
import { certificateEnd, readCertificateEnd } from './server-certificate.ts';

const day = 86_400_000;

/** A certificate of its own for `localhost` that is valid for so many days. */
function makeCertificate(days: number): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-certificate-'));
  try {
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', String(days)];
    execFileSync('openssl', ['req', ...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withServer(isDirect: boolean, work: (port: number) => Promise<void>): Promise<void> {
  const smtp = new SMTPServer({ ...makeCertificate(5), secure: isDirect, authOptional: true });
  // The connection is broken off as soon as the certificate is read.
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
  try {
    await work((smtp.server.address() as AddressInfo).port);
  } finally {
    await new Promise<void>((resolve) => smtp.close(resolve));
  }
}

test.each([true, false])('the end of a certificate is read, encrypted from the first byte on: %s', (isDirect) =>
  withServer(isDirect, async (port) => {
    const end = await readCertificateEnd({ address: '127.0.0.1', port, host: 'localhost' }, { isDirect });
    const days = (end.getTime() - Date.now()) / day;
    expect(days).toBeGreaterThan(4.9);
    expect(days).toBeLessThanOrEqual(5);
  }),
);

test('a server on a private network is reached only where the environment allows it', () =>
  withServer(false, async (port) => {
    const server = { host: '127.0.0.1', port, enableSsl: true };
    const environment = { keepFolder: '', allowedHosts: [] };
    await expect(certificateEnd(environment, server)).rejects.toThrow(BlockedHostError);
    const allowedHosts = [{ host: '127.0.0.1', port, scheme: null }];
    expect((await certificateEnd({ ...environment, allowedHosts }, server)).getTime()).toBeGreaterThan(Date.now());
  }));

test('what is no mail server, or none that encrypts, is an error and no date', async () => {
  const answers = ['hello\r\n'.repeat(3000), '220 a\r\n', '554 go away\r\n'];
  for (const answer of answers) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(answer);
      socket.on('data', () => socket.end('502 no\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const read = readCertificateEnd({ address: '127.0.0.1', port, host: 'localhost' }, { isDirect: false });
    await expect(read).rejects.toThrow(/mail server/);
    await new Promise((resolve) => server.close(resolve));
  }
});
