import type { IncomingMessage } from 'node:http';
import type { CloudProvider } from '@pdf2press/contract';
import type { CloudWorld } from './cloud-world.ts';

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
  /** One refresh token no longer counts. */
  endGrant(refreshToken: string): void;
  /** Access tokens no longer count; refresh tokens do. */
  endAccess(): void;
  /** Cursors of changes that were given out mean nothing any more. */
  forgetCursors(): void;
  /** The first cursor that still means something. */
  cursorsFrom: number;
  stop(): Promise<void>;
}

/** The part of some bytes that a Range header asks for (RFC 9110, 14). */
export function rangeOf(content: Buffer, range: string | undefined): CloudAnswer {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  if (from > 0 && from >= content.length) return { status: 416, body: '' };
  if (range === undefined) return { status: 200, body: content };
  const headers = { 'content-range': `bytes ${from}-${Math.max(0, content.length - 1)}/${content.length}` };
  return { status: 206, headers, body: content.subarray(from) };
}
