import { Progress, Stack, Text } from '@mantine/core';
import { type LimitLevel, limitLevel, type PlanState } from '@pdf2press/contract';
import { IconAlertTriangle, IconCircleCheck, IconXboxX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { formatNumber, formatSize } from '../language/formats.ts';
import { type Look, StatusIcon } from '../sessions/status.tsx';

const looks: Record<LimitLevel, Look & { color: string }> = {
  free: { tone: 'success', icon: IconCircleCheck, color: 'var(--p2p-fill)' },
  near: { tone: 'warning', icon: IconAlertTriangle, color: 'var(--p2p-amber)' },
  reached: { tone: 'error', icon: IconXboxX, color: 'var(--p2p-error)' },
};

const measured = [
  { key: 'sessionsPerMonth', show: formatNumber },
  { key: 'storageBytes', show: formatSize },
  { key: 'users', show: formatNumber },
] as const;

/** One limit: what is used beside it, a bar, and in words how near it is. Without a name where what is above it names it. */
export function LimitRow({
  name,
  used,
  limit,
  show,
}: {
  name?: string;
  used: number;
  limit: number | null;
  show: (value: number) => string;
}) {
  const { t } = useTranslation();
  const level = limitLevel(used, limit);
  const look = looks[level];
  return (
    <Stack gap={4}>
      <Text component="div">
        {limit !== null && <StatusIcon look={look} size={16} />} {name && `${name} `}
        <Text span c="dimmed" className="tabular">
          {limit === null
            ? t('plan.usedFreely', { used: show(used) })
            : t('plan.usedOf', { used: show(used), limit: show(limit) })}
          {level !== 'free' && ` · ${t(`plan.${level}`)}`}
        </Text>
      </Text>
      {limit !== null && (
        <Progress
          value={Math.min(100, limit > 0 ? (used / limit) * 100 : 100)}
          color={look.color}
          size="sm"
          aria-label={name ?? t('plan.quota.storageBytes')}
        />
      )}
    </Stack>
  );
}

/** The quotas of a plan, each beside what is used of it. */
export function PlanUsage({ plan, usage }: Pick<PlanState, 'plan' | 'usage'>) {
  const { t } = useTranslation();
  const { uploadBytes } = plan.quotas;
  return (
    <SectionCard title={plan.name || t('plan.title')} text={t('plan.text')}>
      <ListRows>
        {measured.map(({ key, show }) => (
          <LimitRow key={key} name={t(`plan.quota.${key}`)} used={usage[key]} limit={plan.quotas[key]} show={show} />
        ))}
        <Text>
          {t('plan.quota.uploadBytes')}{' '}
          <Text span c="dimmed">
            {uploadBytes === null ? t('plan.unlimited') : formatSize(uploadBytes)}
          </Text>
        </Text>
      </ListRows>
    </SectionCard>
  );
}
