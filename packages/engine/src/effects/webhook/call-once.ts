import { problem } from '@pdf2press/contract';
import { type AllowedHost, BlockedHostError } from '@pdf2press/mail';
import { signatureOf } from './run.ts';
import { sendRequest } from './send-request.ts';

const timeLimit = 20_000;

/**
 * Posts JSON to an address once, signed as calls are where there are secrets, to try the address.
 * @throws ProblemError `hook.blocked`, `noticeHook.unreachable`, `noticeHook.refused`
 */
export async function callOnce(
  { url, secret, body }: { url: string; secret: string | readonly string[] | null; body: string },
  allowedHosts: readonly AllowedHost[],
): Promise<void> {
  const to = new URL(url);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'pdf2press',
    ...(secret && { 'X-Signature': signatureOf(secret, body, Date.now()) }),
  };
  const access = { allowedHosts, signal: AbortSignal.timeout(timeLimit) };
  const { status } = await sendRequest({ url: to, method: 'POST', body, headers }, access).catch((error: unknown) => {
    throw problem(error instanceof BlockedHostError ? 'hook.blocked' : 'noticeHook.unreachable', { host: to.host });
  });
  if (status < 200 || status >= 300) throw problem('noticeHook.refused', { host: to.host, status });
}
