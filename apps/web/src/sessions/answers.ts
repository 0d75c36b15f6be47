import type { SessionAction } from '@pdf2press/contract';
import { create } from 'zustand';

/** The operator's answers to a hold, in their order (specification §2); a stopped session resumes, a held one continues. */
export const answers = [
  'resume',
  'continue',
  'replaceFile',
  'reroute',
  'cancel',
] as const satisfies readonly SessionAction[];

/** Answers that ask for something more: a file, another workflow. */
type Asking = Extract<(typeof answers)[number], 'replaceFile' | 'reroute'>;
export const isAsking = (action: SessionAction): action is Asking => action === 'replaceFile' || action === 'reroute';

/** The one that is being asked about. */
export const useAsking = create<{ asked: Asking | null }>(() => ({ asked: null }));
export const ask = (asked: Asking | null): void => useAsking.setState({ asked });
