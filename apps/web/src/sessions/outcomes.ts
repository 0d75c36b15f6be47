import type { BulkAction, SessionListItem } from '@pdf2press/contract';
import { create } from 'zustand';

/** What became of one of several sessions; `problem` is why nothing was done with it. */
export interface Outcome {
  session: Pick<SessionListItem, 'id' | 'fileName'>;
  problem: string | null;
}

/** The result of an action on several sessions of which not all went well; null once it was read. */
export const useOutcomes = create<{ told: { action: BulkAction; outcomes: readonly Outcome[] } | null }>(() => ({
  told: null,
}));
