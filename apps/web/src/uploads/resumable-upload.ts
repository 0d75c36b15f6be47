import { publicAccess, type WireError } from '@pdf2press/contract';
import { DetailedError, type HttpResponse, Upload } from 'tus-js-client';
import { authorisation } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';

/** Chunk size, bytes: little is lost when a connection breaks, and good connections stay fast. */
const chunkBytes = 8 * 1024 * 1024;
const retryDelays = [0, 1000, 3000, 5000, 15_000];

/** Where the bytes of a file go. */
export interface Target {
  /** Where uploads are begun. */
  endpoint: string;
  /** Of an upload that was interrupted; null for a new one. */
  address: string | null;
  metadata: Readonly<Record<string, string>>;
  /** Sent without the account's token. */
  isPublic?: boolean;
}

interface Options extends Target {
  onAddress: (address: string) => void;
  onProgress: (sent: number) => void;
  onFailure: (error: CallError) => void;
  onDone: (address: string) => void;
}

export interface ResumableUpload {
  start: () => void;
  pause: () => void;
  giveUp: () => void;
}

/** What the server says of when to ask again, seconds. */
const secondsOf = (response: HttpResponse): number | null => {
  const said = Number(response.getHeader('retry-after') ?? Number.NaN);
  return Number.isNaN(said) ? null : said;
};

/** The server's errors from the error of tus-js-client. */
function failureOf(error: Error): CallError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response) return new CallError({ kind: 'network' }, { cause: error });
  let errors: WireError[] = [];
  try {
    errors = (JSON.parse(response.getBody()) as { errors?: WireError[] }).errors ?? [];
  } catch {
    // Not an answer of the API: only the status is known.
  }
  const retryAfterSeconds = secondsOf(response);
  const requestId = response.getHeader('x-request-id') ?? null;
  return new CallError(
    { kind: 'server', status: response.getStatus(), errors, requestId, retryAfterSeconds },
    { cause: error },
  );
}

/** A resumable upload by the tus protocol 1.0. */
export function openUpload(file: File, options: Options): ResumableUpload {
  const whose = options.isPublic ? { access: publicAccess } : undefined;
  const upload = new Upload(file, {
    endpoint: options.endpoint,
    uploadUrl: options.address,
    chunkSize: chunkBytes,
    retryDelays,
    storeFingerprintForResuming: false,
    metadata: {
      filename: file.name,
      filetype: file.type,
      ...options.metadata,
    },
    onBeforeRequest: async (request) => {
      for (const [name, value] of Object.entries(await authorisation(whose))) request.setHeader(name, value);
    },
    onShouldRetry: (error) => {
      const response = error.originalResponse;
      const status = response?.getStatus() ?? 0;
      // It says when: the queue asks again then.
      if (response && (status === 423 || status === 429) && secondsOf(response) !== null) return false;
      return status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;
    },
    onUploadUrlAvailable: () => upload.url && options.onAddress(upload.url),
    onProgress: (sent) => options.onProgress(sent),
    onError: (error) => options.onFailure(failureOf(error)),
    onSuccess: () => options.onDone(upload.url ?? ''),
  });
  return {
    start: () => upload.start(),
    pause: () => void upload.abort(false),
    // If this call fails, the server deletes the partial upload after a day.
    giveUp: () => void upload.abort(true).catch(() => undefined),
  };
}

/** Tells the server that an upload is no longer wanted, for whoever has no open one. Public uploads only. */
export const giveUp = (address: string): Promise<void> => Upload.terminate(address).catch(() => undefined);
