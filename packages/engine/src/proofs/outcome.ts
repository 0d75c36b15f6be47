import type { ProofDecision, ProofMode } from '@pdf2press/contract';

/** Somebody who counts: asked now or later, with what they decided. */
export interface Voter {
  decision: ProofDecision | null;
}

/**
 * What the decisions so far make of a proof; null = it is still open. One who declines ends it, except with `Quorum`, which
 * ends when enough have approved, or enough can approve no more.
 */
export function outcomeOf(mode: ProofMode, quorum: number, voters: readonly Voter[]): ProofDecision | null {
  const approved = voters.filter(({ decision }) => decision === 'Approved').length;
  const declined = voters.filter(({ decision }) => decision === 'Declined').length;
  switch (mode) {
    case 'Any':
      return approved > 0 ? 'Approved' : declined > 0 ? 'Declined' : null;
    case 'All':
    case 'Sequence':
      if (declined > 0) return 'Declined';
      return approved > 0 && approved === voters.length ? 'Approved' : null;
    case 'Quorum': {
      // Of fewer people than the quorum, all are enough.
      const needed = Math.max(1, Math.min(quorum, voters.length));
      if (approved >= needed) return 'Approved';
      return declined > 0 && voters.length - declined < needed ? 'Declined' : null;
    }
  }
}
