import { createPublicKey, sign, verify } from 'node:crypto';
import type { AuditAnchor, AuditAnchorFault } from '@pdf2press/contract';
import { privateKeyOf } from './certificate.ts';
import type { InstanceKeys } from './instance-key.ts';

/** What is signed. It begins with its purpose, so that no signature of a certificate serves as one of an anchor. */
const signedText = (subscriberId: string, { day, no, hash, at }: Omit<AuditAnchor, 'signature'>): Buffer =>
  Buffer.from(`pdf2press-audit-anchor 1 ${JSON.stringify([subscriberId, day, no, hash, at])}`);

/** Signs the head of the chain of a subscriber with the installation's key. */
export const signAnchor = (
  keys: InstanceKeys,
  subscriberId: string,
  anchor: Omit<AuditAnchor, 'signature'>,
): AuditAnchor => ({
  ...anchor,
  signature: sign(null, signedText(subscriberId, anchor), privateKeyOf(keys)).toString('hex'),
});

/**
 * Judges anchors by the entries that are there now.
 * @param trustedKey PEM of the installation's public key
 * @param hashOf the hash of the entry of a number; undefined where there is none, null where that is not known
 * @throws when `trustedKey` is no Ed25519 key
 */
export function anchorFaults(
  { subscriberId, anchors }: { subscriberId: string; anchors: readonly AuditAnchor[] },
  trustedKey: string,
  hashOf: (no: number) => string | null | undefined,
): { no: number; at: string; fault: AuditAnchorFault }[] {
  const trusted = createPublicKey(trustedKey);
  if (trusted.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  const faultOf = (anchor: AuditAnchor): AuditAnchorFault | null => {
    const signature = Buffer.from(anchor.signature, 'hex');
    if (!verify(null, signedText(subscriberId, anchor), trusted, signature)) return 'forged';
    const hash = hashOf(anchor.no);
    if (hash === undefined) return 'cutOff';
    return hash === null || hash === anchor.hash ? null : 'rewritten';
  };
  return anchors.flatMap((anchor) => {
    const fault = faultOf(anchor);
    return fault ? [{ no: anchor.no, at: anchor.at, fault }] : [];
  });
}
