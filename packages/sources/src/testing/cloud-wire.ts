import type { IncomingMessage } from 'node:http';
import type { CloudProvider } from '@pdf2press/contract';
import type { CloudWorld, WorldEntry } from './cloud-world.ts';

/** What a face of the server answers. */
export interface CloudAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Anything but bytes and text is sent as JSON. */
  body?: unknown;
  /** The connection is cut after this many bytes of the body. */
  cutAfter?: number;
}

export interface CloudQuestion {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
  /** The same, as it came. */
  bytes: Buffer;
}

/** Instead of the true answer; undefined = this question is answered as usual. */
export type CloudFault = (question: CloudQuestion) => CloudAnswer | undefined;

export interface CloudServer {
  /** What `GOOGLE_ENDPOINT` or `MICROSOFT_ENDPOINT` is set to. */
  address: string;
  provider: CloudProvider;
  world: CloudWorld;
  clientId: string;
  clientSecret: string;
  account: string;
  /** Rows of a page of an answer. */
  pageSize: number;
  /** Every question so far, as `GET /path`. */
  asked: string[];
  /** Every Authorization header of a question, with its path. */
  signed: { path: string; authorization: string | undefined }[];
  /** Consents at once, without a person. */
  grant(): string;
  /** The next question that `fault` answers is answered by it, `times` times. */
  failNext(fault: CloudFault, times?: number): void;
  /** What was consented to no longer counts. */
  revoke(): void;
  /** Whether a refresh token counts. */
  counts(refreshToken: string): boolean;
  /** One refresh token no longer counts. */
  endGrant(refreshToken: string): void;
  /** Access tokens no longer count; refresh tokens do. */
  endAccess(): void;
  /** Cursors of changes that were given out mean nothing any more. */
  forgetCursors(): void;
  /** Files that are being stored, by the secret in their address. */
  uploads: Map<string, CloudUpload>;
  /** The first cursor that still means something. */
  cursorsFrom: number;
  stop(): Promise<void>;
}

/** A file that is being stored. */
export interface CloudUpload {
  name: string;
  parentId: string;
  received: Buffer;
}

/**
 * Takes a piece of an upload: those that do not follow each other, or are no multiple of what the service asks for, are refused.
 * Resolves to the new file when it is whole.
 */
export function takePiece(
  { uploads, world }: CloudServer,
  secret: string,
  { headers, bytes }: CloudQuestion,
  { multipleOf, waiting }: { multipleOf: number; waiting: number },
): { stored: WorldEntry } | { answer: CloudAnswer } {
  const upload = uploads.get(secret);
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '');
  if (!upload || !range) return { answer: { status: upload ? 400 : 404, body: {} } };
  // Both services refuse a piece that is signed in, or treat it as somebody else's.
  if (headers.authorization !== undefined) return { answer: { status: 401, body: {} } };
  const [from = 0, to = 0, size = 0] = range.slice(1).map(Number);
  const isLast = to + 1 === size;
  const isRight =
    from === upload.received.length && to - from + 1 === bytes.length && (isLast || bytes.length % multipleOf === 0);
  if (!isRight) return { answer: { status: 416, body: {} } };
  upload.received = Buffer.concat([upload.received, bytes]);
  if (!isLast) return { answer: { status: waiting, headers: { range: `bytes=0-${to}` } } };
  uploads.delete(secret);
  const stored = world.entries.get(world.addFile(upload.name, upload.received, upload.parentId));
  if (!stored) throw new Error('it was not stored');
  return { stored };
}

/** The part of some bytes that a Range header asks for (RFC 9110, 14). */
export function rangeOf(content: Buffer, range: string | undefined): CloudAnswer {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  if (from > 0 && from >= content.length) return { status: 416, body: '' };
  if (range === undefined) return { status: 200, body: content };
  const headers = { 'content-range': `bytes ${from}-${Math.max(0, content.length - 1)}/${content.length}` };
  return { status: 206, headers, body: content.subarray(from) };
}
