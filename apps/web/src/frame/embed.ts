import { create } from 'zustand';
import { holdEmbedToken } from '../client/tokens.ts';

/** What the address asked for when the app was opened; the token leaves the address at once. */
export const useAddress = create<{ isEmbed: boolean; hasToken: boolean; language: string | null }>(() => ({
  isEmbed: false,
  hasToken: false,
  language: null,
}));

/**
 * Reads `embed`, `token`, `expiredDate` and `lang` (specification §2). The token goes into memory and the query is stripped
 * by `replaceState`, so that neither history nor a referrer carries it; `expiredDate` says nothing that we would trust.
 */
export function readAddress(): { language: string | null } {
  const address = new URL(window.location.href);
  const { searchParams } = address;
  const isEmbed = searchParams.get('embed') === 'true';
  const token = searchParams.get('token');
  const language = searchParams.get('lang');
  if (isEmbed) {
    if (token) holdEmbedToken(token);
    for (const name of ['embed', 'token', 'expiredDate']) searchParams.delete(name);
    window.history.replaceState(window.history.state, '', address);
  }
  useAddress.setState({ isEmbed, hasToken: Boolean(token), language });
  return { language };
}
