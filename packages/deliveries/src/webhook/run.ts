import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeliveryFaultError } from '@pdf2press/contract';
import type { DeliveryRunner, OpenTarget, Parcel } from '../delivery.ts';
import type { webhookContract } from './contract.ts';

type Target = Pick<OpenTarget<typeof webhookContract>, 'settings' | 'secret' | 'tools' | 'signal'>;

/** Of silence, milliseconds. */
const patience = 60_000;
/** Of an answer; nothing of it is needed but its status. */
const mostAnswerBytes = 64 * 1024;

/** What is sent. The bytes are read twice where they are signed. */
interface Sending {
  open: () => Readable;
  size: number;
  headers: Readonly<Record<string, string>>;
}

const unreachable = (text: string, cause?: unknown): DeliveryFaultError =>
  new DeliveryFaultError('delivery.unreachable', { text: text.slice(0, 200) }, { cause });

/** The address to connect to, looked up and judged once. */
function addressOf({ settings, tools }: Target): Promise<string> {
  const { hostname, port, protocol } = new URL(settings.address);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const host = hostname.replace(/^\[|\]$/g, '');
  return tools.addressOf({ host, port: port === '' ? { https: 443, http: 80 }[scheme] : Number(port), scheme });
}

/** HMAC-SHA256 over the time in seconds, a point, and the bytes: as other calls of the product are signed. */
async function signatureOf(secret: string, { open }: Sending): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.`);
  for await (const part of open()) mac.update(part as Buffer);
  return `t=${seconds},v1=${mac.digest('hex')}`;
}

/** Why an answer is no receipt; a redirection is none: its target was not judged. */
function judge({ statusCode = 0, statusMessage = '' }: IncomingMessage, address: string, name: string): void {
  if (statusCode >= 200 && statusCode < 300) return;
  if (statusCode === 401 || statusCode === 403)
    throw new DeliveryFaultError('delivery.denied', { folder: new URL(address).host });
  if (statusCode === 409) throw new DeliveryFaultError('delivery.nameTaken', { name });
  if (statusCode === 413 || statusCode === 507) throw new DeliveryFaultError('delivery.full');
  throw unreachable(`HTTP ${statusCode} ${statusMessage}`);
}

/** Sends once, and waits for the status. @throws DeliveryFaultError */
async function send(target: Target, at: string, sending: Sending, name: string): Promise<void> {
  const { settings, secret, signal } = target;
  const url = new URL(settings.address);
  const family = isIP(at);
  // The connection goes to the address that was judged, however often the name is looked up.
  const lookup: LookupFunction = (_, { all }, found) => {
    if (all) found(null, [{ address: at, family }]);
    else found(null, at, family);
  };
  const headers = {
    'Content-Length': String(sending.size),
    'User-Agent': 'pdf2press',
    ...sending.headers,
    ...(secret.signingSecret && { 'X-Signature': await signatureOf(secret.signingSecret, sending) }),
  };
  const options = { method: settings.method, headers, lookup, signal, agent: false, timeout: patience } as const;
  const call = (url.protocol === 'https:' ? secureRequest : plainRequest)(url, options);
  call.on('timeout', () => call.destroy(new Error('no answer in time')));
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', resolve);
      call.once('error', reject);
    });
    // A receiver may answer before it has read everything, and close.
    const [answer] = await Promise.all([
      answered,
      pipeline(sending.open(), call).catch((error: unknown) => {
        if (!call.writableEnded && !call.destroyed) throw error;
      }),
    ]);
    let read = 0;
    for await (const part of answer) {
      read += (part as Buffer).length;
      if (read > mostAnswerBytes) break;
    }
    judge(answer, settings.address, name);
  } catch (error) {
    if (error instanceof DeliveryFaultError) throw error;
    throw unreachable(error instanceof Error ? error.message : String(error), error);
  } finally {
    call.destroy();
  }
}

/** As RFC 8187 has it: any name in plain letters. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const sendingOf = ({ file, folder, name, key, collision }: Parcel): Sending => ({
  open: () => createReadStream(file.path, { highWaterMark: 256 * 1024 }),
  size: file.size,
  headers: {
    'Content-Type': file.mediaType,
    'Content-Disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
    ...(folder.length > 0 && { 'X-Folder': folder.map(encoded).join('/') }),
    'X-Collision': collision,
    'X-SHA256': file.sha256,
    // The same for every try, so that a receiver can tell a repetition.
    'Idempotency-Key': createHash('sha256').update(key).digest('hex'),
  },
});

/** What people are shown: a query may hold what is not for them. */
const shown = (address: string, { folder, name }: Pick<Parcel, 'folder' | 'name'>): string => {
  const { origin, pathname } = new URL(address);
  return [`${origin}${pathname}`.replace(/\/$/, ''), ...folder, name].join('/');
};

export const runner: DeliveryRunner<typeof webhookContract> = {
  deliver: async (target, parcel) => {
    await send(target, await addressOf(target), sendingOf(parcel), parcel.name);
    return shown(target.settings.address, parcel);
  },
  tryOut: async (target, { reach }) => {
    reach('name');
    const at = await addressOf(target);
    reach('connect');
    const bytes = randomBytes(64);
    const name = 'test.bin';
    await send(
      target,
      at,
      {
        open: () => Readable.from([bytes]),
        size: bytes.length,
        headers: {
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
          'X-Test': '1',
          'X-SHA256': createHash('sha256').update(bytes).digest('hex'),
          'Idempotency-Key': bytes.toString('hex'),
        },
      },
      name,
    ).catch((error: unknown) => {
      if (error instanceof DeliveryFaultError && /^HTTP /.test(String(error.params.text ?? 'HTTP '))) reach('write');
      throw error;
    });
    reach('write');
  },
};
