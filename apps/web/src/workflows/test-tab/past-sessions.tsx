import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { isFinal, mostTrialFiles, sessionStatuses } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../client/queries.ts';
import { formatTime } from '../../language/formats.ts';

export interface Picked {
  value: string;
  label: string;
}

const shownAtOnce = 30;
const ended = sessionStatuses.filter(isFinal);

/** Chooses sessions of any workflow that have ended, found by the names of their files. */
export function PastSessions({
  picked,
  onChange,
}: {
  picked: readonly Picked[];
  onChange: (picked: Picked[]) => void;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [needle] = useDebouncedValue(search, 250);
  const { data } = useCall(
    sessionRoutes.list,
    { query: { status: ended, pageSize: shownAtOnce, ...(needle && { search: needle }) } },
    { placeholderData: keepPreviousData },
  );
  const found = (data?.items ?? []).map(({ id, fileName, createdAt, workflow }) => ({
    value: id,
    label: `${fileName} · ${workflow.name} · ${formatTime(createdAt)}`,
  }));
  const known = new Map([...picked, ...found].map((one) => [one.value, one]));
  return (
    <MultiSelect
      label={t('test.sessions')}
      placeholder={picked.length === 0 ? t('test.sessionsHint') : ''}
      searchable
      clearable
      maxValues={mostTrialFiles}
      nothingFoundMessage={t('state.noMatch')}
      // The server has searched.
      filter={({ options }) => options}
      data={[...known.values()]}
      searchValue={search}
      onSearchChange={setSearch}
      value={picked.map(({ value }) => value)}
      onChange={(values) => onChange(values.flatMap((value) => known.get(value) ?? []))}
    />
  );
}
