import type { Dashboard, SessionStatus } from '@pdf2press/contract';

/** How the statuses are drawn: each group has its colour and its pattern, in the order of the stack from below. */
export const outcomeGroups = [
  { key: 'completed', statuses: ['Completed'] },
  { key: 'warnings', statuses: ['CompletedWithWarnings'] },
  { key: 'failed', statuses: ['Failed'] },
  { key: 'ended', statuses: ['CanceledByUser', 'CanceledByOperator', 'Rerouted'] },
  { key: 'open', statuses: ['InQueue', 'Processing', 'OnHold'] },
] as const satisfies readonly { key: string; statuses: readonly SessionStatus[] }[];
export type OutcomeGroup = (typeof outcomeGroups)[number];

type Outcomes = Dashboard['outcomes'];

export const countOf = (outcomes: Outcomes, statuses: readonly SessionStatus[]): number =>
  statuses.reduce((sum, status) => sum + (outcomes[status] ?? 0), 0);
export const filesOf = (outcomes: Outcomes): number =>
  Object.values(outcomes).reduce((sum: number, n) => sum + (n ?? 0), 0);

/** The change as a share of what was before; null where nothing was. */
export const changeOf = (now: number, before: number): number | null => (before > 0 ? (now - before) / before : null);
