import { Alert, Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { archivingWindowDays } from '@pdf2press/contract';
import { archivingRoutes } from '@pdf2press/contract/calls';
import { IconPlugOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { formatNumber, formatSize } from '../language/formats.ts';

/** While something is on its way its progress is read this often, milliseconds. */
const often = 5_000;

/** What lies in the archive, what is on its way, what failed, and what goes next. */
export function ArchiveOverview() {
  const { t } = useTranslation();
  const may = useMay();
  const { data } = useCall(archivingRoutes.overview, undefined, {
    refetchInterval: ({ state }) => ((state.data?.underWay.length ?? 0) > 0 ? often : 6 * often),
  });
  if (!data) return null;
  const { sessions, bytes, dueSoon, underWay, failed } = data;
  return (
    <SectionCard
      title={t('archiving.overview')}
      text={t('archiving.total', { count: sessions, shown: formatNumber(sessions), size: formatSize(bytes) })}
    >
      <Stack>
        {!data.isSetUp && (
          <Alert color="warning" icon={<IconPlugOff size={20} />} title={t('archiving.notSetUp')}>
            {t('archiving.notSetUpText')}{' '}
            {may('settings.archiving.manage') && (
              <Anchor component={Link} to="/settings?tab=archiving" inherit underline="always">
                {t('archiving.toSettings')}
              </Anchor>
            )}
          </Alert>
        )}
        {underWay.map(({ sessionId, fileName, state, done, files }) => (
          <div key={sessionId}>
            <Group justify="space-between" gap="xs">
              <Anchor component={Link} to={`/workflows/session/${sessionId}`} style={{ overflowWrap: 'anywhere' }}>
                {fileName}
              </Anchor>
              <Text size="sm" c="dimmed">
                {t(`archiving.${state}`, { done: formatNumber(done), files: formatNumber(files) })}
              </Text>
            </Group>
            <Progress value={files === 0 ? 100 : (done / files) * 100} aria-label={fileName} mt={4} />
          </div>
        ))}
        {failed.length > 0 && (
          <Alert color="error" title={t('archiving.failed')}>
            {t('archiving.failedText')}
            <ul style={{ margin: '8px 0 0', paddingInlineStart: 20 }}>
              {failed.map(({ sessionId, fileName, direction }) => (
                <li key={`${direction} ${sessionId}`}>
                  <Anchor
                    component={Link}
                    to={`/workflows/session/${sessionId}`}
                    inherit
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {fileName}
                  </Anchor>
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <Group gap="lg">
          <Text size="sm">
            {t('archiving.dueSoon', { count: dueSoon, shown: formatNumber(dueSoon), days: archivingWindowDays })}
          </Text>
          {may('sessions.view') && (
            <Anchor component={Link} to="/workflows/sessions?archiveState=Archived" size="sm">
              {t('archiving.showSessions')}
            </Anchor>
          )}
          <Text size="sm" c="dimmed">
            {t('archiving.howItGoes')}
          </Text>
        </Group>
      </Stack>
    </SectionCard>
  );
}
