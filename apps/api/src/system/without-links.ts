/**
 * A message without its addresses: whoever holds the link of a new password, an activation or a proof can use it, so only
 * administrators of the installation, who can read the files as well, see them.
 */
export const withoutLinks = (text: string): string => text.replace(/https?:\/\/[^\s<>"]+/gi, '[…]');
