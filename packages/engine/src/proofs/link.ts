import { createHash, createHmac } from 'node:crypto';
import type { Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from '../secrets/instance-key.ts';

/** A recipient's link by its number; a new link has the next number. */
export interface LinkName {
  recipientId: string;
  no: number;
}

/**
 * The secret of a link: 256 bits made from the installation's key, so that a repeated message and a reminder hold the same
 * link although only its hash is stored.
 */
const secretOf = (keys: InstanceKeys, { recipientId, no }: LinkName): string =>
  createHmac('sha256', keys.derive('proof links')).update(`${recipientId} ${no}`).digest('base64url');

/** What is stored of a secret. */
export const linkHashOf = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(secret).digest());

/**
 * Path of a link that is about to be sent, which works from now on; undefined when it is not wanted any more: revoked,
 * replaced by a newer one, or its proof is over.
 */
export async function openLink(tx: Transaction, keys: InstanceKeys, name: LinkName): Promise<string | undefined> {
  const secret = secretOf(keys, name);
  const [row] = await tx.$queryRaw<{ publicId: string }[]>`
    update proof_recipients recipient set link_hash = ${linkHashOf(secret)}
      from proofs proof, sessions session, step_runs step
     where recipient.id = ${name.recipientId} and recipient.link_no = ${name.no} and recipient.link_revoked_at is null
       and proof.subscriber_id = recipient.subscriber_id and proof.id = recipient.proof_id
       and step.subscriber_id = proof.subscriber_id and step.id = proof.step_run_id and step.status = 'Waiting'
       and session.subscriber_id = proof.subscriber_id and session.id = proof.session_id and session.deleted_at is null
    returning session.public_id as "publicId"`;
  return row && `/client-proofing/${row.publicId}/${secret}`;
}
