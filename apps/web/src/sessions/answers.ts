import type { SessionAction } from '@pdf2press/contract';
import { create } from 'zustand';

/** What an operator can do with a held session, in the order of the buttons; a stopped session resumes, a held one continues. */
export const answers = [
  'resume',
  'continue',
  'replaceFile',
  'reroute',
  'cancel',
] as const satisfies readonly SessionAction[];

/** Answers that need input: a file, another workflow. */
type AskingAction = Extract<(typeof answers)[number], 'replaceFile' | 'reroute'>;
export const isAsking = (action: SessionAction): action is AskingAction =>
  action === 'replaceFile' || action === 'reroute';

/** What is asked for in a dialog: `unlock` is the password of a file that nobody could open. */
type Asking = AskingAction | 'unlock';

/** The answer whose dialog is open. */
export const useAsking = create<{ asked: Asking | null }>(() => ({ asked: null }));
export const ask = (asked: Asking | null): void => useAsking.setState({ asked });
