import type { ReactNode } from 'react';
import { create } from 'zustand';

export interface Question {
  title: string;
  text: ReactNode;
  /** What else it touches, each a sentence. */
  points?: readonly string[];
  act: string;
  isDangerous?: boolean;
  /** Text that must be typed to confirm; used for things that others depend on. */
  typed?: string;
}

export const useQuestion = create<{ question: Question | null; answer: (isSure: boolean) => void }>(() => ({
  question: null,
  answer: () => undefined,
}));

/** Asks for confirmation before something that cannot be undone. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    useQuestion.setState({
      question,
      answer: (isSure) => {
        useQuestion.setState({ question: null });
        resolve(isSure);
      },
    });
  });
