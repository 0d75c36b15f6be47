import { Badge, Button, Group, Text } from '@mantine/core';
import type { ArrivalOutcome, ArrivedItem } from '@pdf2press/contract';
import { arrivalRoutes } from '@pdf2press/contract/calls';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';
import { formatDue, formatNumber } from '../language/formats.ts';
import { sessionPath } from '../sessions/session-row.tsx';
import { SessionStatusChip } from '../sessions/status.tsx';
import classes from './arrivals.module.css';

/** Has the source look for the file once more. */
function Retry({ item: { id, name } }: { item: ArrivedItem }) {
  const { t } = useTranslation();
  const label = name || t('arrivals.noName');
  const retry = useMutation({
    mutationFn: () => call(arrivalRoutes.retry, { body: { id } }),
    onSuccess: () => notify.success(t('arrivals.retried', { name: label })),
    onError: (error) => notify.failure(error),
    onSettled: () => invalidate(arrivalRoutes.list),
  });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={retry.isPending}
      aria-label={t('arrivals.retryOf', { name: label })}
      onClick={() => retry.mutate()}
    >
      {t('arrivals.retry')}
    </Button>
  );
}

const colors: Record<Exclude<ArrivalOutcome, 'session'>, string> = {
  duplicate: 'warning',
  refused: 'error',
  waiting: 'info',
};

/** What became of it: its session, or a word and why. */
export function Became({ item }: { item: ArrivedItem }) {
  const { t } = useTranslation();
  const may = useMay();
  const { outcome, session, duplicateOf, why, attempts, nextTryAt, name } = item;
  return (
    <>
      <div className={classes.outcome}>
        {outcome !== 'session' && (
          <Badge variant="light" tt="none" fw={550} color={colors[outcome]}>
            {t(`arrivals.became.${outcome}`)}
          </Badge>
        )}
        {session && !session.isDeleted && <SessionStatusChip status={session.status} />}
        {session && (
          <Link to={sessionPath(session.id)} aria-label={t('arrivals.openOf', { name: session.fileName || name })}>
            {t(session.isDeleted ? 'arrivals.deleted' : 'arrivals.open')}
          </Link>
        )}
        {why && !(outcome === 'duplicate' && duplicateOf) && <Text size="sm">{why.message}</Text>}
      </div>
      {duplicateOf && (
        <Text size="sm">
          {t('arrivals.duplicateOf')} <Link to={sessionPath(duplicateOf.id)}>{duplicateOf.fileName}</Link>
        </Text>
      )}
      {nextTryAt && (
        <Group gap={4} className={classes.below}>
          {t('arrivals.nextTry', { count: attempts, attempts: formatNumber(attempts), when: formatDue(nextTryAt) })}
        </Group>
      )}
      {item.canRetry && may('sessions.inject') && <Retry item={item} />}
    </>
  );
}
