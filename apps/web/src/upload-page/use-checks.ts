import { useDebouncedValue } from '@mantine/hooks';
import type { FileCheck, UploadPage, VariableValues } from '@pdf2press/contract';
import { uploadPageRoutes as routes } from '@pdf2press/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../client/call.ts';
import { isReady, type PageItem, useVisit } from './visit.ts';

/** Pause after the last change of a field before files are judged by it, and between questions how far that is. */
const pauseMilliseconds = 800;
const askAgainMilliseconds = 1200;

type Workflow = UploadPage['workflows'][number];

export interface DoorCheckOf {
  check: FileCheck;
  /** Errors keep it from being sent until they are acknowledged; `never`: for good. */
  stops: 'unless acknowledged' | 'never' | null;
  isAcknowledged: boolean;
  acknowledge: (isKnown: boolean) => void;
}

/** What an acknowledgement is of: of other errors it is none. */
const seenOf = ({ id, fault, findings }: FileCheck): string =>
  [id, fault?.code, ...findings.map((finding) => finding.id)].join(' ');

/** The verdicts on files that have arrived, by upload, asked for until there are all of them. */
export function useChecks(
  items: readonly PageItem[],
  { workflow, variables }: { workflow: Workflow | undefined; variables: VariableValues },
) {
  const visit = useVisit((visiting) => visiting.visit);
  const files = items.flatMap((item) => (isReady(item) && item.uploadId ? item.uploadId : []));
  const [settled] = useDebouncedValue(JSON.stringify(variables), pauseMilliseconds);
  const isOn = visit !== null && workflow !== undefined && workflow.check !== 'off' && files.length > 0;
  const query = useQuery({
    queryKey: ['checks', visit, workflow?.id, files, settled],
    queryFn: () =>
      call(routes.check, {
        params: { visit: visit ?? '' },
        body: { workflowId: workflow?.id ?? '', files, variables: JSON.parse(settled) as VariableValues },
      }),
    enabled: isOn,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'running') ? askAgainMilliseconds : false,
  });
  const [acknowledged, setAcknowledged] = useState<ReadonlySet<string>>(new Set());
  const given = isOn ? (query.data ?? []) : [];
  const isOld = query.isPlaceholderData || settled !== JSON.stringify(variables);
  const checks = new Map(
    files.flatMap((id): [string, DoorCheckOf][] => {
      const check = given.find((one) => one.id === id);
      if (!check) return [];
      const seen = seenOf(check);
      const isBad = check.state === 'done' && check.level === 'Error';
      return [
        [
          id,
          {
            check,
            stops: !isBad ? null : workflow?.check === 'demand' ? 'never' : 'unless acknowledged',
            isAcknowledged: acknowledged.has(seen),
            acknowledge: (isKnown) =>
              setAcknowledged(
                (before) => new Set(isKnown ? [...before, seen] : [...before].filter((one) => one !== seen)),
              ),
          },
        ],
      ];
    }),
  );
  return {
    checks,
    error: isOn ? query.error : null,
    /** Whether a verdict is still to come. A question that failed is none. */
    isChecking:
      isOn && !query.error && (isOld || files.some((id) => (checks.get(id)?.check.state ?? 'running') === 'running')),
    askAgain: () => void query.refetch(),
  };
}

/** Whether a file must not be sent as it is. */
export const isStopped = (door: DoorCheckOf | undefined): boolean =>
  door !== undefined && door.stops !== null && !(door.stops === 'unless acknowledged' && door.isAcknowledged);
