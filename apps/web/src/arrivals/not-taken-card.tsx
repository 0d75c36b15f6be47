import { Anchor, Group, Stack, Text } from '@mantine/core';
import { arrivalRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import classes from './arrivals.module.css';
import { Became } from './became.tsx';

/** What waits is tried again by itself. */
const refreshMilliseconds = 15_000;
const outcome = ['refused', 'duplicate', 'waiting'] as const;
const shown = 5;

/**
 * The newest files of a connection that became no session, and why; nothing where there are none.
 * @param id of the stored connection; undefined = it is not stored yet
 */
export function NotTakenCard({ id }: { id: string | undefined }) {
  const may = useMay();
  return id !== undefined && may('sessions.view') ? <NotTaken connection={id} /> : null;
}

function NotTaken({ connection }: { connection: string }) {
  const { t } = useTranslation();
  const query = { connection, outcome: [...outcome], pageSize: shown };
  const { data } = useCall(arrivalRoutes.list, { query }, { refetchInterval: refreshMilliseconds });
  if (!data || data.items.length === 0) return null;
  const all = new URLSearchParams(outcome.map((one) => ['outcome', one]));
  return (
    <SectionCard title={t('arrivals.notTaken')} text={t('arrivals.notTakenText')}>
      <Stack component="ul" gap="md" m={0} p={0} aria-label={t('arrivals.notTaken')} style={{ listStyle: 'none' }}>
        {data.items.map((item) => (
          <li key={item.id}>
            <Group gap={8} wrap="wrap" align="baseline">
              <span className={classes.name}>{item.name || t('arrivals.noName')}</span>
              <Text size="sm" c="dimmed" component="span">
                <Ago at={item.at} />
              </Text>
            </Group>
            {item.source && <div className={classes.below}>{item.source}</div>}
            <Became item={item} />
          </li>
        ))}
      </Stack>
      <Anchor component={Link} size="sm" mt="md" to={`/arrivals?${all}`}>
        {t('arrivals.notTakenAll')}
      </Anchor>
    </SectionCard>
  );
}
