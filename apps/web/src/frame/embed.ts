import { create } from 'zustand';
import { holdEmbedToken } from '../client/tokens.ts';

interface Address {
  isEmbed: boolean;
  hasToken: boolean;
  language: string | null;
}

/**
 * Reads `embed`, `token` and `lang` from the address. The token is kept in memory and the query is removed with
 * `replaceState`, so that neither the history nor a referrer contains it. `expiredDate` is ignored: the server decides.
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

/** The address with which the app was opened, read once before the router changes it. */
export const useAddress = create<Address>(readAddress);
