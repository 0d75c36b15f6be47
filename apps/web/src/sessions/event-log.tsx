import { Text, TextInput } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useCall } from '../client/queries.ts';
import { formatClock, formatDay, formatTime } from '../language/formats.ts';
import { detailOf, eventHash, eventOfHash } from './event-words.ts';
import classes from './session.module.css';

/** The events of the session, newest first, virtualized. Each line has an address. */
export function EventLog({ session }: { session: Session }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const linked = eventOfHash(useLocation().hash);
  const { data } = useCall(sessionRoutes.events, { params: { id: session.id } });
  const lines = useMemo(
    () =>
      (data ?? [])
        .map((event) => ({ event, words: t(`event.${event.kind}`), detail: detailOf(t, session, event) }))
        .reverse(),
    [data, session, t],
  );
  const wanted = search.trim().toLowerCase();
  const shown = wanted
    ? lines.filter(({ words, detail }) => `${words} ${detail}`.toLowerCase().includes(wanted))
    : lines;
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 48,
    overscan: 8,
  });
  const place = shown.findIndex(({ event }) => event.seq === linked);
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place, { align: 'center' });
  }, [place >= 0, linked]);
  if (data?.length === 0) return <Text c="dimmed">{t('session.noEvents')}</Text>;
  return (
    <div className={classes.logPart}>
      <TextInput
        type="search"
        size="xs"
        aria-label={t('session.searchLog')}
        placeholder={t('session.searchLog')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {data && shown.length === 0 && <Text c="dimmed">{t('state.noMatch')}</Text>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <div ref={scroller} className={classes.log} tabIndex={0} role="log" aria-label={t('session.log')}>
        <ol style={{ position: 'relative', blockSize: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = shown[index];
            if (!line) return null;
            const { event, words, detail } = line;
            return (
              <li
                key={event.seq}
                className={classes.logLine}
                aria-current={event.seq === linked || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Link to={{ hash: eventHash(event.seq) }} replace className={classes.logTime}>
                  <time dateTime={event.at} title={formatTime(event.at, 'long')}>
                    {formatClock(event.at)}
                    <small>{formatDay(event.at)}</small>
                  </time>
                </Link>
                <span className={classes.logText}>
                  {words}
                  <small title={detail}>{detail}</small>
                </span>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
