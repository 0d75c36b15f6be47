import { isFinal, type TrialRow } from '@pdf2press/contract';

/** How much a row asks to be looked at: what differs most comes first, what runs still before what came out the same. */
const weightOf = ({ differences, now }: TrialRow): number =>
  differences ? differences.length * 2 : isFinal(now.status) ? 0 : 1;

/** The rows of a trial, the differing ones on top; equal ones stay in the order they were chosen. */
export const orderRows = (rows: readonly TrialRow[]): TrialRow[] => rows.toSorted((a, b) => weightOf(b) - weightOf(a));
