import type { WorkflowVariable } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { call } from '../client/call.ts';
import { groupsIn } from './rule-edits.ts';
import type { Evaluation } from './rule-surroundings.ts';

interface Question {
  sessionId: string | null;
  stepId: string;
  settings: unknown;
  variables: readonly WorkflowVariable[];
}

/**
 * How the groups of rules in a step's settings come out with a session, by their path in the settings: asked of the server
 * anew with each change, since it alone knows the session.
 */
export function useEvaluations({ sessionId, stepId, settings, variables }: Question): ReadonlyMap<string, Evaluation> {
  // As text: settings are made anew with each keystroke, and mostly hold the same rules.
  const asked = useDeferredValue(JSON.stringify({ groups: groupsIn(settings), variables }));
  const { groups, variables: declared } = useMemo(
    () => JSON.parse(asked) as { groups: ReturnType<typeof groupsIn>; variables: WorkflowVariable[] },
    [asked],
  );
  const { data } = useQuery({
    queryKey: [sessionRoutes.evaluate.path, sessionId, stepId, asked],
    queryFn: ({ signal }) =>
      call(sessionRoutes.evaluate, {
        params: { id: sessionId ?? '' },
        body: { stepId, variables: declared, groups: groups.map(({ group }) => ({ ...group })), names: [] },
        signal,
      }),
    enabled: sessionId !== null && groups.length > 0,
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () =>
      new Map(
        sessionId === null
          ? []
          : groups.flatMap(({ path }, at) => {
              const evaluation = data?.groups[at];
              return evaluation ? [[path, evaluation] as const] : [];
            }),
      ),
    [sessionId, groups, data],
  );
}

/** Values of a session by name, as texts; empty without a session. */
export function useSampleTexts(
  sessionId: string | null,
  { names, variables, stepId }: { names: readonly string[]; variables: readonly WorkflowVariable[]; stepId?: string },
): Readonly<Record<string, string>> {
  const { data } = useQuery({
    queryKey: [sessionRoutes.evaluate.path, 'texts', sessionId, stepId, names, variables],
    queryFn: ({ signal }) =>
      call(sessionRoutes.evaluate, {
        params: { id: sessionId ?? '' },
        body: { variables: [...variables], groups: [], names: [...names], ...(stepId !== undefined && { stepId }) },
        signal,
      }),
    enabled: sessionId !== null && names.length > 0,
  });
  return data?.texts ?? {};
}
