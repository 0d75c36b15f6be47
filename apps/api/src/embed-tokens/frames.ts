import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * The sites whose pages may show the page of this address: those of the embed token it carries. One that is revoked or has
 * run out is known all the same, so that the site's reader sees our words instead of a browser's; it opens nothing.
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
