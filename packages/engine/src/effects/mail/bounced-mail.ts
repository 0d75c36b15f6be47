/** A message that a mail server took and another, later, did not deliver. */
export interface BouncedMail {
  messageId: string;
  /** Names of the same recipient. */
  addresses: readonly string[];
  said: string;
  at: Date;
}
