import type { PageDecision, ProofDecision, ShownProof } from '@pdf2press/contract';
import { useEffect, useState } from 'react';
import { type ProofLink, useClientPages } from './use-client-proof.ts';

type Given = ReadonlyMap<number, Omit<PageDecision, 'page'>>;

/**
 * What the reader answers to each page, until all of it is sent. Null where it is decided on the file as a whole, or nothing
 * is left to decide. It is kept in memory only, so the browser asks before it is lost.
 */
export function usePageAnswers(link: ProofLink, { form }: Pick<ShownProof, 'form'>, page: number) {
  const isAsked = form?.pageLevel === 'page';
  const { pages } = useClientPages(link, 'production', [page]);
  const [given, setGiven] = useState<Given>(new Map());
  const isBegun = isAsked && given.size > 0;
  useEffect(() => {
    if (!isBegun) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBegun]);
  if (!isAsked) return null;
  const numbers = pages.map((one) => one.page);
  const least = Math.max(form.commentMinLength, form.isReasonRequired ? 1 : 0);
  const lacksReason = (no: number): boolean => {
    const answer = given.get(no);
    return answer?.decision === 'Declined' && answer.reason.trim().length < least;
  };
  const answered = numbers.flatMap((no) => {
    const answer = given.get(no);
    return answer ? [{ page: no, ...answer }] : [];
  });
  const set = (no: number, answer: Omit<PageDecision, 'page'>) => setGiven((before) => new Map(before).set(no, answer));
  return {
    pages: numbers,
    given,
    answered,
    least,
    lacksReason,
    isWhole: numbers.length > 0 && answered.length === numbers.length && !numbers.some(lacksReason),
    decision: (answered.some(({ decision }) => decision === 'Declined') ? 'Declined' : 'Approved') as ProofDecision,
    decide: (no: number, decision: ProofDecision) =>
      set(no, { decision, reason: decision === 'Declined' ? (given.get(no)?.reason ?? '') : '' }),
    say: (no: number, reason: string) => set(no, { decision: 'Declined', reason }),
    approveRest: () =>
      setGiven((before) => {
        const rest = numbers.filter((no) => !before.has(no));
        return new Map([...before, ...rest.map((no) => [no, { decision: 'Approved', reason: '' }] as const)]);
      }),
  };
}
export type PageAnswers = NonNullable<ReturnType<typeof usePageAnswers>>;
