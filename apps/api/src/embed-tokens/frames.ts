import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * The origins whose pages may show the page of this address: those of the embed token in it. This includes revoked and
 * expired tokens, so that the page can show why it shows nothing; data needs a token that is valid.
 */
export async function framesOf(deps: ApiDeps, address: string): Promise<readonly string[]> {
  const query = new URLSearchParams(address.split('?')[1]);
  const token = query.get('embed') === 'true' ? query.get('token') : null;
  if (!token) return [];
  const row = await deps.db.asHost((tx) =>
    tx.embedToken.findUnique({ where: { hash: hashOf(token) }, select: { origins: true } }),
  );
  return row?.origins ?? [];
}
