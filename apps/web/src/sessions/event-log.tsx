import { Text } from '@mantine/core';
import { type Session, type SessionEvent, sessionRoutes } from '@pdf2press/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { formatTime } from '../language/formats.ts';
import classes from './session.module.css';
import { stepTitle } from './steps-rail.tsx';

/** Everything that happened, the youngest first; only the lines in sight are drawn. */
export function EventLog({ session }: { session: Session }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const { data } = useCall(sessionRoutes.events, { params: { id: session.id } });
  const events = data ? [...data].reverse() : [];
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 48,
    overscan: 8,
  });
  const detailOf = (event: SessionEvent): string => {
    const step = session.steps.find((one) => one.id === event.stepRunId);
    const code = typeof event.data.code === 'string' ? event.data.code : null;
    const actor = event.actor.kind === 'system' ? null : event.actor.name;
    return [step && stepTitle(step, t), code, actor].filter(Boolean).join(' · ');
  };
  if (data?.length === 0) return <Text c="dimmed">{t('session.noEvents')}</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <div ref={scroller} className={classes.log} tabIndex={0} role="log" aria-label={t('session.log')}>
      <ol style={{ position: 'relative', blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          return (
            event && (
              <li key={event.seq} className={classes.logLine} style={{ transform: `translateY(${start}px)` }}>
                <time dateTime={event.at} title={formatTime(event.at, 'long')}>
                  {new Date(event.at).toLocaleTimeString()}
                </time>
                <span>
                  {t(`event.${event.kind}`)}
                  <small>{detailOf(event)}</small>
                </span>
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
