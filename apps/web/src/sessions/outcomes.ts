import type { BulkAction, SessionListItem } from '@pdf2press/contract';
import { create } from 'zustand';

/** The result of a bulk action for one session; `problem` states why it failed. */
export interface Outcome {
  session: Pick<SessionListItem, 'id' | 'fileName'>;
  problem: string | null;
}

/** Results of a bulk action with failures; null after the dialog was closed. */
export const useOutcomes = create<{ told: { action: BulkAction; outcomes: readonly Outcome[] } | null }>(() => ({
  told: null,
}));
