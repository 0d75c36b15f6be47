import { Anchor, Group, Text } from '@mantine/core';
import { retentionWindowDays } from '@pdf2press/contract';
import { retentionProfileRoutes, retentionRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { formatDay, formatNumber, formatSize } from '../language/formats.ts';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';
import classes from './retention.module.css';

export function RetentionProfilesScreen() {
  return <ProfilesScreen kind="retention" path="/retention" routes={retentionProfileRoutes} above={<NextDays />} />;
}

/** The days from today on, as the server counts them (UTC). */
const daysAhead = (): string[] =>
  Array.from({ length: retentionWindowDays + 1 }, (_, at) =>
    new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10),
  );

/** What is deleted within the next days, by day. */
function NextDays() {
  const { t } = useTranslation();
  const due = useCall(retentionRoutes.due, { query: { pageSize: 1 } });
  const held = useCall(retentionRoutes.due, { query: { pageSize: 1, held: 'true' } });
  if (!due.data || !held.data) return null;
  const { days, total } = due.data;
  const bytes = days.reduce((sum, day) => sum + day.bytes, 0);
  const most = Math.max(1, ...days.map(({ files }) => files));
  const of = new Map(days.map((day) => [day.day, day]));
  return (
    <SectionCard
      title={t('retention.next', { days: retentionWindowDays })}
      text={
        total === 0
          ? t('retention.nothing')
          : t('retention.total', { count: total, shown: formatNumber(total), size: formatSize(bytes) })
      }
    >
      {total > 0 && (
        <ol className={classes.strip} aria-label={t('retention.byDay')}>
          {daysAhead().map((day) => {
            const { files = 0, bytes: size = 0 } = of.get(day) ?? {};
            const told = `${formatDay(`${day}T12:00:00Z`)}: ${t('retention.total', { count: files, shown: formatNumber(files), size: formatSize(size) })}`;
            return (
              <li key={day} title={told}>
                <span className="visually-hidden">{told}</span>
                <span aria-hidden style={{ blockSize: `${(files / most) * 100}%` }} />
              </li>
            );
          })}
        </ol>
      )}
      <Group gap="lg">
        <Anchor component={Link} to="/retention/details/all">
          {t('retention.showList')}
        </Anchor>
        {held.data.total > 0 && (
          <Anchor component={Link} to="/retention/details/all?held=true">
            {t('retention.showHeld', { count: held.data.total, shown: formatNumber(held.data.total) })}
          </Anchor>
        )}
        <Text size="sm" c="dimmed">
          {t('retention.howItGoes')}
        </Text>
      </Group>
    </SectionCard>
  );
}
