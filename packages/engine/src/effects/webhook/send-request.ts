import type { AllowedHost } from '@pdf2press/mail';
import { type OutgoingRequest, openRequest } from '../../open-request.ts';

export interface Answer {
  status: number;
  /** At most `maxAnswerBytes`. */
  body: Buffer;
}

/** A longer answer is cut off, and the call has failed. */
export const maxAnswerBytes = 1024 * 1024;

/** An answer that is longer than is read. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

/**
 * Sends one request to a host that users may name, as `openRequest` allows it, and reads the whole answer.
 * @throws BlockedHostError, AnswerTooLongError, the connection's error
 */
export async function sendRequest(
  request: OutgoingRequest,
  access: { allowedHosts: readonly AllowedHost[]; signal: AbortSignal },
): Promise<Answer> {
  const incoming = await openRequest(request, access);
  return new Promise<Answer>((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxAnswerBytes) incoming.destroy(new AnswerTooLongError());
      else parts.push(part);
    });
    incoming.once('error', reject);
    incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(parts) }));
  });
}
