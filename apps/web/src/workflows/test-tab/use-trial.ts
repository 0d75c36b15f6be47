import { isBeingCompared, isTrialDone, type WorkflowTrial } from '@pdf2press/contract';
import { sessionRoutes, trialRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { call, sendForm } from '../../client/call.ts';
import { useCall } from '../../client/queries.ts';
import { useLiveAnswers } from '../../client/use-live-answers.ts';

/** Answers that an event of one of a trial's files may change. */
const ofTrial = [trialRoutes.get, trialRoutes.compare, sessionRoutes.get];

/** Between two questions whether the pages are compared. */
export const comparingMilliseconds = 2000;

/** Where a trial, or one of its files, is seen: the addresses are kept in the history of the browser. */
export function addressWith(search: URLSearchParams, change: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) value === null ? next.delete(name) : next.set(name, value);
  return `?${next}`;
}

/** The trial in the address: begun, followed while it runs, and removed. */
export function useTrial() {
  const [search, setSearch] = useSearchParams();
  const id = search.get('trial');
  const show = (trial: string | null) =>
    setSearch((before) => new URLSearchParams(addressWith(before, { trial, file: null })));
  const trial = useCall(
    trialRoutes.get,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) => state.data?.rows.some(isBeingCompared) && comparingMilliseconds,
    },
  );
  const isRunning = trial.data !== undefined && !isTrialDone(trial.data.rows);
  useLiveAnswers(ofTrial, { query: { trialId: id ?? '' }, isOn: isRunning });
  const start = useMutation({
    mutationFn: ({ file, ...asked }: Partial<WorkflowTrial> & { file: File | null }) => {
      const form = new FormData();
      form.append('trial', JSON.stringify(asked));
      if (file) form.append('file', file);
      return sendForm(trialRoutes.createOfWorkflow, form);
    },
    onSuccess: (made) => show(made.id),
  });
  const remove = useMutation({
    mutationFn: () => call(trialRoutes.remove, { params: { id: id ?? '' } }),
    onSuccess: () => show(null),
  });
  return { id, file: search.get('file'), search, data: trial.data, error: trial.error, start, remove };
}
