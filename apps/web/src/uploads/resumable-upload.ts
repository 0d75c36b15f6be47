import type { VariableValues, WireError } from '@pdf2press/contract';
import { uploadRoutes } from '@pdf2press/contract/calls';
import { DetailedError, Upload } from 'tus-js-client';
import { authorisation, pathOf } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';

/** Small enough to lose little on a bad line, large enough to be fast on a good one (design §1.3). */
const chunkBytes = 8 * 1024 * 1024;
const retryDelays = [0, 1000, 3000, 5000, 15_000];

interface Options {
  workflowId: string;
  variables: VariableValues;
  /** Where it was broken off, or null for a new one. */
  address: string | null;
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

/** What the server said, out of tus's own error. */
function failureOf(error: Error): CallError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response) return new CallError({ kind: 'network' }, { cause: error });
  let errors: WireError[] = [];
  try {
    errors = (JSON.parse(response.getBody()) as { errors?: WireError[] }).errors ?? [];
  } catch {
    // No envelope: the status alone must do.
  }
  return new CallError(
    { kind: 'server', status: response.getStatus(), errors, requestId: response.getHeader('x-request-id') ?? null },
    { cause: error },
  );
}

/** An upload by the tus protocol that goes on where it stopped. */
export function openUpload(file: File, options: Options): ResumableUpload {
  const upload = new Upload(file, {
    endpoint: pathOf(uploadRoutes.create),
    uploadUrl: options.address,
    chunkSize: chunkBytes,
    retryDelays,
    storeFingerprintForResuming: false,
    metadata: {
      filename: file.name,
      filetype: file.type,
      workflowId: options.workflowId,
      variables: JSON.stringify(options.variables),
    },
    onBeforeRequest: async (request) => {
      for (const [name, value] of Object.entries(await authorisation())) request.setHeader(name, value);
    },
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0;
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
    // What is left at the server goes by itself after a day when this call does not get through.
    giveUp: () => void upload.abort(true).catch(() => undefined),
  };
}
