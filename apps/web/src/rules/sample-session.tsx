import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { formatTime } from '../language/formats.ts';

interface Sample {
  id: string;
  label: string;
}

/** The session that a workflow's rules and texts are tried on; it stays chosen while one goes from step to step. */
const useSamples = create<{ byWorkflow: Readonly<Record<string, Sample | null>> }>(() => ({ byWorkflow: {} }));

export const useSampleSession = (workflowId: string): Sample | null =>
  useSamples(({ byWorkflow }) => byWorkflow[workflowId] ?? null);

const choose = (workflowId: string, sample: Sample | null) =>
  useSamples.setState(({ byWorkflow }) => ({ byWorkflow: { ...byWorkflow, [workflowId]: sample } }));

const shownAtOnce = 30;

/** Chooses a session of the past: those of the workflow, or with an empty id of all; the newest first, found by the names of their files. */
export function SampleSession({ workflowId }: { workflowId: string }) {
  const { t } = useTranslation();
  const may = useMay();
  const sample = useSampleSession(workflowId);
  const [search, setSearch] = useState('');
  const [needle] = useDebouncedValue(search === sample?.label ? '' : search, 250);
  const { data } = useCall(
    sessionRoutes.list,
    {
      query: {
        ...(workflowId && { workflowId: [workflowId] }),
        pageSize: shownAtOnce,
        ...(needle && { search: needle }),
      },
    },
    { enabled: may('sessions.view'), placeholderData: keepPreviousData },
  );
  if (!may('sessions.view')) return null;
  const found = (data?.items ?? []).map(({ id, fileName, createdAt }) => ({
    value: id,
    label: `${fileName} · ${formatTime(createdAt)}`,
  }));
  const isListed = !sample || found.some(({ value }) => value === sample.id);
  return (
    <Select
      label={t('rules.sample')}
      description={t('rules.sampleText')}
      placeholder={t('rules.sampleNone')}
      searchable
      clearable
      nothingFoundMessage={t('state.noMatch')}
      // The server has searched.
      filter={({ options }) => options}
      data={isListed ? found : [{ value: sample.id, label: sample.label }, ...found]}
      searchValue={search}
      onSearchChange={setSearch}
      value={sample?.id ?? null}
      onChange={(_, option) => choose(workflowId, option && { id: option.value, label: option.label })}
    />
  );
}
