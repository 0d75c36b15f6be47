/** An address that cannot be used for mail. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

// Stricter than RFC 5322 on purpose: ASCII, no quoted local part, no groups, no comments, so that no text can begin a
// second header or recipient.
const address =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether it is a plain address of at most 254 characters. */
export const isAddress = (text: string): boolean => text.trim().length <= 254 && address.test(text.trim());

/** The address as given when it is a plain one of at most 254 characters. @throws AddressError */
export function readAddress(text: string): string {
  if (!isAddress(text)) throw new AddressError('not a plain mail address');
  return text.trim();
}
