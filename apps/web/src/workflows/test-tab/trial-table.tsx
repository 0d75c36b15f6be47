import { Button, Group, Progress, Text } from '@mantine/core';
import { findingFates, isFinal, type TrialRow } from '@pdf2press/contract';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Ago } from '../../frame/ago.tsx';
import { DataTable } from '../../frame/data-table.tsx';
import { SessionStatusChip } from '../../sessions/status.tsx';
import { orderRows } from './order-rows.ts';
import classes from './test-tab.module.css';
import { addressWith, type useTrial } from './use-trial.ts';

/** What differs in a row, in words. */
export function useDifferenceWords(): (row: TrialRow) => string {
  const { t } = useTranslation();
  return ({ differences, findings, pages, past, now }) => {
    if (!differences) return isFinal(now.status) ? t(past ? 'test.comparing' : 'test.nothingBefore') : '';
    if (differences.length === 0) return t('test.same');
    const counts = findingFates.flatMap((fate) =>
      findings && findings[fate] > 0 ? [t(`test.count.${fate}`, { count: findings[fate] })] : [],
    );
    return differences
      .map((one) =>
        one === 'findings'
          ? counts.join(', ')
          : one === 'pages'
            ? t('test.count.pages', { count: pages ?? 0 })
            : t(`test.difference.${one}`),
      )
      .join(' · ');
  };
}

/** How far a trial is, and all of its files; the differing ones are on top, and each opens. */
export function TrialTable({ trial, rows }: { trial: ReturnType<typeof useTrial>; rows: readonly TrialRow[] }) {
  const { t } = useTranslation();
  const wordsOf = useDifferenceWords();
  const done = rows.filter(({ now }) => isFinal(now.status)).length;
  const differing = rows.filter(({ differences }) => differences !== null && differences.length > 0).length;
  const { remove, search } = trial;
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div role="status">
          <Text fw={600}>
            {done < rows.length
              ? t('test.progress', { done, count: rows.length })
              : t('test.differing', { count: differing })}
          </Text>
          {done === rows.length && (
            <Text size="sm" c="dimmed">
              {t('test.tried', { count: rows.length })}
            </Text>
          )}
        </div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTrash size={14} aria-hidden />}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {t('test.remove')}
        </Button>
      </Group>
      {done < rows.length && (
        <Progress value={(100 * done) / rows.length} aria-label={t('test.progress', { done, count: rows.length })} />
      )}
      <DataTable
        label={t('test.files')}
        rows={orderRows(rows)}
        idOf={({ now }) => now.id}
        name={{
          label: t('test.file'),
          of: ({ fileName }) => fileName,
          to: ({ now }) => addressWith(search, { file: now.id }),
          below: (row) => <span className={classes.words}>{wordsOf(row)}</span>,
        }}
        columns={[
          { key: 'now', label: t('test.now'), cell: ({ now }) => <SessionStatusChip status={now.status} /> },
          {
            key: 'past',
            label: t('test.then'),
            isExtra: true,
            cell: ({ past }) =>
              past && (
                <>
                  <SessionStatusChip status={past.status} />{' '}
                  <Text span size="xs" c="dimmed">
                    <Ago at={past.createdAt} />
                  </Text>
                </>
              ),
          },
        ]}
      />
    </>
  );
}
