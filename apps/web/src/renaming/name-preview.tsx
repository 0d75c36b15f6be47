import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { renamingProfileRoutes } from '@pdf2press/contract/calls';
import { renameProfileSchema } from '@pdf2press/steps/rename-profile';
import { IconArrowDown } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { SectionCard } from '../frame/section-card.tsx';
import classes from './renaming.module.css';

/** Pause after the last change before the names are asked for, milliseconds. */
const pauseMilliseconds = 300;

/** What the rules make of the names of the newest sessions' files: the server alone knows what is known of these. */
export function NamePreview({ settings }: { settings: Record<string, unknown> }) {
  const { t } = useTranslation();
  const may = useMay();
  const [asked] = useDebouncedValue(JSON.stringify(settings), pauseMilliseconds);
  const isComplete = useMemo(() => renameProfileSchema.safeParse(JSON.parse(asked)).success, [asked]);
  const { data, error } = useQuery({
    queryKey: [renamingProfileRoutes.preview.path, asked],
    queryFn: ({ signal }) =>
      call(renamingProfileRoutes.preview, {
        body: { settings: JSON.parse(asked) as Record<string, unknown> },
        signal,
      }),
    enabled: isComplete && may('sessions.view'),
    placeholderData: keepPreviousData,
  });
  if (!may('sessions.view')) return null;
  return (
    <SectionCard title={t('renaming.preview')} text={t('renaming.previewText')}>
      <Stack gap="sm" aria-live="polite">
        {!isComplete && <Text c="dimmed">{t('renaming.previewIncomplete')}</Text>}
        {isComplete && error && <Text c="dimmed">{failureText(error, t)}</Text>}
        {data?.length === 0 && <Text c="dimmed">{t('renaming.previewNone')}</Text>}
        <ul className={classes.names} data-outdated={!isComplete || error ? true : undefined}>
          {data?.map(({ sessionId, from, to }) => (
            <li key={sessionId}>
              <span className={classes.from}>{from}</span>
              <IconArrowDown size={14} aria-hidden />
              <span className={classes.to}>{to}</span>
            </li>
          ))}
        </ul>
      </Stack>
    </SectionCard>
  );
}
