import { storedAs } from '@pdf2press/prisma';
import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import type { OrganizationOptions } from '../organizations/read-organization.ts';
import { isOpen } from '../upload-pages/open-page.ts';

/** The pages that an organization allows to show its upload page. */
async function framesOfUploadPage(deps: ApiDeps, uploadSlug: string): Promise<readonly string[]> {
  const row = await deps.db.asHost((tx) =>
    tx.organization.findFirst({ where: { ...isOpen, uploadSlug }, select: { options: true } }),
  );
  return (row && storedAs<Partial<OrganizationOptions>>(row.options).frameOrigins) ?? [];
}

/**
 * The origins whose pages may show the page of this address: those of the embed token in it, or of the organization whose
 * upload page it is. This includes revoked and expired tokens, so that the page can show why it shows nothing; data needs a
 * token that is valid.
 */
export async function framesOf(deps: ApiDeps, address: string): Promise<readonly string[]> {
  const [path = '', search] = address.split('?');
  const [, slug] = /^\/upload\/([a-z0-9-]{3,60})\/?$/i.exec(path) ?? [];
  if (slug) return framesOfUploadPage(deps, slug.toLowerCase());
  // The form of a proof profile shows beside it, in a frame, the page that its readers will see.
  if (path === '/proofing-preview') return ["'self'"];
  const query = new URLSearchParams(search);
  const token = query.get('embed') === 'true' ? query.get('token') : null;
  if (!token) return [];
  const row = await deps.db.asHost((tx) =>
    tx.embedToken.findUnique({ where: { hash: hashOf(token) }, select: { origins: true } }),
  );
  return row?.origins ?? [];
}
