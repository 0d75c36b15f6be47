import type { ReactNode } from 'react';
import { create } from 'zustand';

export interface Question {
  title: string;
  text: ReactNode;
  act: string;
  isDangerous?: boolean;
  /** What must be typed before it may be done: for things that others use. */
  typed?: string;
}

export const useQuestion = create<{ question: Question | null; answer: (isSure: boolean) => void }>(() => ({
  question: null,
  answer: () => undefined,
}));

/** Asks before something that cannot be undone. Answers whether the visitor is sure. */
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
