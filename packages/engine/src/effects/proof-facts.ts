import { declinedPagesOf, type ProofRecord } from '@pdf2press/contract';
import { storedAs } from '@pdf2press/prisma';
import { type Facts, factsOf, knownNames } from '@pdf2press/settings';
import type { ProofRow } from '../proofs/proof-row.ts';

/** The names that a message may use. */
export const messageNames = knownNames({ scope: 'message' });
/** The type of a name that a message may use; undefined for an unknown one. */
export const typeOf = (name: string) => messageNames.get(name)?.type;

/** The facts of a proof: of its newest decision, where one was made. */
export function proofFacts(proof: ProofRow | null, url: string | null): Record<string, unknown> {
  if (!proof) return { 'proof.url': url };
  const record = storedAs<ProofRecord | null>(proof.decisions.at(-1)?.record ?? null);
  return {
    'proof.url': url,
    'proof.version': proof.version,
    'proof.deadline': proof.dueAt,
    'proof.decision': record && record.decision !== 'Expired' ? record.decision : null,
    'proof.decidedBy': record && (record.name || record.email || record.onBehalf?.by),
    'proof.decidedAt': record?.at,
    'proof.comment': record && (record.comment || record.reason),
    'proof.declinedPages': declinedPagesOf(record?.pages).join(', '),
  };
}

/** Facts of a session with more of them, which a message or a watermark knows besides. */
export const withFacts = (facts: Facts, more: Record<string, unknown>): Facts =>
  new Map([...facts, ...factsOf(more as Parameters<typeof factsOf>[0], typeOf)]);
