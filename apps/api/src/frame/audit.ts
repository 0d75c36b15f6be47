import type { AuditAct } from '@pdf2press/contract';
import type { Prisma, Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import { actorOf } from './caller.ts';

interface Act {
  act: AuditAct;
  /** Id of what it was done to. */
  object: string;
  /** Fields and values that auditors may read; never a secret. */
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
  /** Given where nobody is signed in. */
  subscriberId?: string;
  actor?: { kind: string; id: string; name: string };
}

/** Writes who did what, in the transaction of the act; the database numbers and chains the rows. */
export async function audit(tx: Transaction, request: FastifyRequest, entry: Act): Promise<void> {
  const { act, object, before, after, subscriberId = request.caller?.subscriberId } = entry;
  const actor = entry.actor ?? (request.caller ? actorOf(request.caller) : { kind: 'anonymous', id: '', name: '' });
  if (!subscriberId) throw new TypeError('an audit entry needs a subscriber');
  await tx.auditEntry.create({
    data: {
      subscriberId,
      actor: { ...actor },
      act,
      object,
      ip: request.ip,
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    },
    select: { no: true },
  });
}
