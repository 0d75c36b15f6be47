import { setTimeout as sleep } from 'node:timers/promises';
import { extensionOf, fileTypeOf, SourceFaultError } from '@pdf2press/contract';
import type { GuardedFetch } from '@pdf2press/sources/contracts';

/** The server answers, and does not give the file. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly status: number;
  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

export interface Asking {
  fetch: GuardedFetch;
  signal: AbortSignal;
  /** A server that sends nothing for so many milliseconds is given up. */
  silentMs?: number;
}

export interface OpenFile {
  /** As the server names it, or its type; null where it says neither. */
  name: string | null;
  /** Bytes, where the server says it. */
  size: number | null;
  /** Read once. A connection that breaks is taken up again where it was, if the file is still the same. */
  bytes: AsyncGenerator<Uint8Array>;
  /** Ends the connection; to be called in any case. */
  close(): Promise<void>;
}

/** A download that breaks off is taken up again this often without a byte having come. */
const mostBreaks = 4;
const firstPauseMs = 250;

const changed = () => new SourceFaultError('source.changed');

/** A signal that is aborted when nothing was heard for a while. */
function watchSilence(whole: AbortSignal, ms: number) {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new SourceFaultError('source.timedOut', { seconds: ms / 1000 })), ms);
  return {
    signal: AbortSignal.any([whole, silent.signal]),
    heard: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
    /** Why a connection ended: silence, what is known of it, or that it broke off. */
    reasonOf: (error: unknown): unknown => {
      if (silent.signal.aborted) return silent.signal.reason;
      const isKnown = whole.aborted || error instanceof SourceFaultError || error instanceof AddressRefusedError;
      return isKnown ? error : new SourceFaultError('source.unreachable', {}, { cause: error });
    },
  };
}

interface Part {
  response: Response;
  /** Bytes at its beginning that are here already. */
  skip: number;
  silence: ReturnType<typeof watchSilence>;
}

/** What tells one state of a file from another; null where the server says nothing of it. */
function stateOf({ headers }: Response): string | null {
  const tag = headers.get('etag');
  return tag !== null && !tag.startsWith('W/') ? tag : headers.get('last-modified');
}

const numberOf = (text: string | null | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null);

/** How long the whole file is, by what the server says of the part that it sends. */
function sizeOf({ status, headers }: Response): number | null {
  if (!['', 'identity'].includes(headers.get('content-encoding') ?? '')) return null;
  if (status !== 206) return numberOf(headers.get('content-length'));
  return numberOf(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]);
}

/** How much of the answer's beginning is here already. @throws AddressRefusedError, `source.changed` */
function skipOf(response: Response, from: number, before: Response | null): number {
  const begins = numberOf(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]);
  const isPart = response.status === 206 && begins === from;
  // Past its end: it is shorter than it was.
  if (response.status === 416) throw changed();
  if (response.status !== 200 && !isPart) throw new AddressRefusedError(response.status);
  if (before && (stateOf(response) !== stateOf(before) || sizeOf(response) !== sizeOf(before))) throw changed();
  return isPart ? 0 : from;
}

/**
 * Asks for the file from a byte on.
 * @param before an answer to the same question, which broke off
 * @throws AddressRefusedError, SourceFaultError
 */
async function askFor(url: string, from: number, before: Response | null, asking: Asking): Promise<Part> {
  const silence = watchSilence(asking.signal, asking.silentMs ?? 60_000);
  const state = before && stateOf(before);
  const headers = {
    accept: '*/*',
    // Lengths and ranges are those of the file, not of a compressed copy.
    'accept-encoding': 'identity',
    'user-agent': 'pdf2press',
    ...(from > 0 && state !== null && { range: `bytes=${from}-`, 'if-range': state }),
  };
  let response: Response | undefined;
  try {
    response = await asking.fetch(url, { method: 'GET', headers, signal: silence.signal });
    return { response, skip: skipOf(response, from, before), silence };
  } catch (error) {
    await response?.body?.cancel().catch(() => undefined);
    silence.stop();
    throw silence.reasonOf(error);
  }
}

async function* piecesOf({ response, skip, silence }: Part): AsyncGenerator<Uint8Array> {
  let left = skip;
  try {
    for await (const piece of response.body ?? []) {
      silence.heard();
      if (piece.length > left) yield left > 0 ? piece.subarray(left) : piece;
      left = Math.max(0, left - piece.length);
    }
  } catch (error) {
    throw silence.reasonOf(error);
  } finally {
    silence.stop();
  }
}

/** Whether another connection is of use: one that broke off or was silent. */
const isBreak = (error: unknown): boolean =>
  error instanceof SourceFaultError && ['source.unreachable', 'source.timedOut'].includes(error.code);

async function* readOn(url: string, first: Part, asking: Asking): AsyncGenerator<Uint8Array> {
  const size = sizeOf(first.response);
  const state = stateOf(first.response);
  let part: Part | undefined = first;
  let at = 0;
  let breaks = 0;
  for (;;) {
    const begun = at;
    let fault: unknown = new SourceFaultError('source.unreachable');
    try {
      part ??= await askFor(url, at, first.response, asking);
      for await (const piece of piecesOf(part)) {
        at += piece.length;
        yield piece;
      }
      // Without a length, the end of the connection is the end of the file.
      if (size === null || at === size) return;
    } catch (error) {
      fault = error;
    }
    // Without anything that tells a file from its successor, its halves may be of two files.
    if (asking.signal.aborted || !isBreak(fault) || state === null) throw fault;
    if (size !== null && at > size) throw changed();
    breaks = at === begun ? breaks + 1 : 0;
    if (breaks > mostBreaks) throw fault;
    part = undefined;
    await sleep(firstPauseMs * 2 ** breaks, undefined, { signal: asking.signal });
  }
}

/** The name in `Content-Disposition`: RFC 6266, the one with a character set before the other. */
function nameIn(header: string): string | null {
  const coded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (coded !== undefined)
    try {
      return decodeURIComponent(coded);
    } catch {
      // Not what the RFC says; the other one may be.
    }
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null;
}

const extensionsOfTypes: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/tiff': '.tif',
};

/** The last name in the path of an address; empty where it ends with none. */
export function nameInPath(url: string): string {
  const last = new URL(url).pathname.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** What the server calls the file: by its name, else by the address with the extension of its type. */
function nameOf(url: string, { headers }: Response): string | null {
  const named = nameIn(headers.get('content-disposition') ?? '');
  if (named && fileTypeOf(named)) return named;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const extension = extensionsOfTypes[type];
  const name = named || nameInPath(url) || 'file';
  return extension === undefined ? named : `${name.slice(0, name.length - extensionOf(name).length)}${extension}`;
}

/**
 * Opens a file of another server; its bytes are read as they come.
 * @throws AddressRefusedError, SourceFaultError; reading throws `source.changed` as well
 */
export async function openAddress(url: string, asking: Asking): Promise<OpenFile> {
  const first = await askFor(url, 0, null, asking);
  const bytes = readOn(url, first, asking);
  return {
    name: nameOf(url, first.response),
    size: sizeOf(first.response),
    bytes,
    close: async () => {
      first.silence.stop();
      await bytes.return(undefined);
      // Of a body that was read, or is being closed, there is nothing to end.
      if (!first.response.bodyUsed) await first.response.body?.cancel();
    },
  };
}
