import { authRoutes } from '@pdf2press/contract/calls';
import { pathOf } from '../client/address.ts';
import type { Answer, Asked, Told } from './asked.ts';
import { firstPageOf } from './first-page.ts';

/** Fetches an address of this origin. @throws TypeError without the network */
export type Fetch = (address: string, init?: RequestInit) => Promise<Response>;

/**
 * Asks for an access token, then for what is wanted with it, and tells each answer as it comes. On a thread of its own: the
 * page's is busy with the modules of the app, for a second on a slow processor, and would hear of the token only after it.
 */
export async function work(asked: Asked, tell: (told: Told) => void, get: Fetch): Promise<void> {
  const keep = async (address: string, response: Response): Promise<Answer> => {
    const answer = {
      kind: 'answer',
      address,
      status: response.status,
      headers: [...response.headers],
      body: await response.arrayBuffer(),
    } as const;
    tell(answer);
    return answer;
  };
  const refresh = pathOf(authRoutes.refresh);
  const token = await get(refresh, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: '{}',
  })
    .then((response) => keep(refresh, response))
    .then((answer) => resultOf<{ authToken: string }>(answer)?.authToken)
    .catch(() => undefined);
  if (token === undefined) {
    tell({ kind: 'noFirstPage' });
    for (const address of [refresh, ...asked.addresses, ...asked.late]) tell({ kind: 'failed', address });
    return;
  }
  const withToken: Fetch = (address) =>
    get(address, { headers: { accept: 'application/json', authorization: `Bearer ${token}` } });
  const calls = new Map<string, Promise<Answer | null>>();
  const answerTo = (address: string): Promise<Answer | null> => {
    const call =
      calls.get(address) ??
      withToken(address)
        .then((response) => keep(address, response))
        .catch(() => {
          tell({ kind: 'failed', address });
          return null;
        });
    calls.set(address, call);
    return call;
  };
  const all = asked.addresses.map(answerTo);
  const page =
    asked.session === null
      ? null
      : await firstPageOf(asked.session, asked, {
          result: async <T>(address: string) => resultOf<T>(await answerTo(address)),
          picture: async (address) => {
            const response = await withToken(address);
            return response.status === 200 ? response.blob() : null;
          },
        }).catch(() => null);
  tell(page ?? { kind: 'noFirstPage' });
  await Promise.all([...all, ...asked.late.map(answerTo)]);
}

/** Null for a refusal. */
function resultOf<T>(answer: Answer | null): T | null {
  if (answer?.status !== 200) return null;
  return (JSON.parse(new TextDecoder().decode(answer.body)) as { result: T | null }).result;
}
