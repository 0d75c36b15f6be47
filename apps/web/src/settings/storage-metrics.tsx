import { Progress, Stack, Text } from '@mantine/core';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { formatNumber, formatSize } from '../language/formats.ts';
import { PlanCards } from '../plan/plan-cards.tsx';

/** The plan, what storage costs, and what is stored. */
export const StorageSettings = () => (
  <>
    <PlanCards />
    <StorageMetrics />
  </>
);

function StorageMetrics() {
  const { t } = useTranslation();
  const { data } = useCall(systemRoutes.storageMetrics);
  if (!data) return null;
  return (
    <SectionCard
      title={t('settings.stored', { size: formatSize(data.totalBytes) })}
      text={[
        t('settings.fileCount', { count: data.fileCount }),
        data.diskFreeBytes !== null && t('settings.free', { size: formatSize(data.diskFreeBytes) }),
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <ListRows>
        {data.byKind.map(({ kind, bytes, files }) => (
          <Stack key={kind} gap={4}>
            <Text>
              {t(`fileKind.${kind}`)}{' '}
              <Text span c="dimmed" className="tabular">
                {formatSize(bytes)} · {formatNumber(files)}
              </Text>
            </Text>
            <Progress
              value={data.totalBytes > 0 ? (bytes / data.totalBytes) * 100 : 0}
              color="var(--p2p-fill)"
              size="sm"
              aria-label={t(`fileKind.${kind}`)}
            />
          </Stack>
        ))}
      </ListRows>
    </SectionCard>
  );
}
