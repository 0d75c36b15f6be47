import { create } from 'zustand';
import { holdEmbedToken } from '../client/tokens.ts';

interface Address {
  isEmbed: boolean;
  hasToken: boolean;
  language: string | null;
}

/**
 * Reads `embed`, `token`, `expiredDate` and `lang` (specification §2). The token goes into memory and the query is stripped
 * by `replaceState`, so that neither history nor a referrer carries it; `expiredDate` says nothing that we would trust.
 */
function readAddress(): Address {
  const address = new URL(window.location.href);
  const { searchParams } = address;
  const isEmbed = searchParams.get('embed') === 'true';
  const token = isEmbed ? searchParams.get('token') : null;
  if (isEmbed) {
    holdEmbedToken(token ?? '');
    for (const name of ['embed', 'token', 'expiredDate']) searchParams.delete(name);
    window.history.replaceState(window.history.state, '', address);
  }
  return { isEmbed, hasToken: Boolean(token), language: searchParams.get('lang') };
}

/** What the address asked for when the app was opened: read once, before the router looks at it. */
export const useAddress = create<Address>(readAddress);
