import type { ProofDecision, ProofMode, ProofProfile } from '@pdf2press/contract';

/** Somebody who counts: asked now or later, with what they decided. */
export interface Voter {
  decision: ProofDecision | null;
  /** Asked before the others, who are asked when every gatekeeper has approved. */
  isGatekeeper: boolean;
}

/** How the decisions count. */
export interface Rules extends Pick<ProofProfile, 'mode' | 'quorum'> {
  /** The profile names somebody who is no gatekeeper: gatekeepers alone approve nothing, whoever is left. */
  asksOthers: boolean;
  /** The profile names gatekeepers, but nobody is asked as one: their addresses and roles stood for nobody. */
  lacksGatekeeper: boolean;
}

/**
 * What the decisions so far make of a proof; null = it is still open. A gatekeeper who declines ends it; when all gatekeepers
 * have approved, the mode counts among the others.
 */
export function outcomeOf(rules: Rules, voters: readonly Voter[]): ProofDecision | null {
  const gatekeepers = voters.filter(({ isGatekeeper }) => isGatekeeper);
  const others = voters.filter(({ isGatekeeper }) => !isGatekeeper);
  if (gatekeepers.some(({ decision }) => decision === 'Declined')) return 'Declined';
  if (rules.lacksGatekeeper || gatekeepers.some(({ decision }) => decision === null)) return null;
  if (gatekeepers.length === 0 || others.length > 0) return outcomeAmong(rules.mode, rules.quorum, others);
  return rules.asksOthers ? null : 'Approved';
}

/** Whether every gatekeeper has approved, so that nobody stands before the others. */
export const isThroughGate = ({ lacksGatekeeper }: Rules, voters: readonly Voter[]): boolean =>
  !lacksGatekeeper && voters.every(({ isGatekeeper, decision }) => !isGatekeeper || decision === 'Approved');

/** Who is asked now, or was and has not decided: gatekeepers all at once, then the others as the mode says. */
export function turnOf<V extends Voter>({ mode, lacksGatekeeper }: Rules, voters: readonly V[]): V[] {
  const open = voters.filter(({ decision }) => decision === null);
  const gatekeepers = open.filter(({ isGatekeeper }) => isGatekeeper);
  if (lacksGatekeeper || gatekeepers.length > 0) return gatekeepers;
  return mode === 'Sequence' ? open.slice(0, 1) : open;
}

/**
 * What people who are equals make of a proof. One who declines ends it, except with `Quorum`, which ends when enough have
 * approved, or enough can approve no more.
 */
function outcomeAmong(mode: ProofMode, quorum: number, voters: readonly Voter[]): ProofDecision | null {
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
