import type { Dashboard } from '@pdf2press/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { Hint } from '../frame/hint.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { formatDay, formatNumber, formatTime } from '../language/formats.ts';
import { ChartTable, TableToggle } from './chart-table.tsx';
import classes from './dashboard.module.css';
import { countOf, filesOf, outcomeGroups } from './outcome-groups.ts';

type Part = Dashboard['parts'][number];
interface Props {
  dashboard: Dashboard;
  /** The address of the list of sessions that came in a span. */
  sessionsOf: (from: string, to: string) => string;
}

/** Sessions by outcome for each part of the period, as columns or as a table. */
export function OutcomesChart({ dashboard, sessionsOf }: Props) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  const { parts, unit, to } = dashboard;
  const title = t(`dashboard.per.${unit}`);
  return (
    <SectionCard title={title} action={<TableToggle title={title} isTable={isTable} onChange={setTable} />}>
      <ul className={classes.legend}>
        {outcomeGroups.map(({ key, statuses }) => (
          <li key={key}>
            <span className={classes.swatch} data-outcome={key} aria-hidden />
            {t(`dashboard.outcome.${key}`)}{' '}
            <strong className="tabular">{formatNumber(countOf(dashboard.outcomes, statuses))}</strong>
          </li>
        ))}
      </ul>
      {isTable ? (
        <PartsTable {...{ parts, unit, title }} />
      ) : (
        <Columns {...{ parts, unit, title, sessionsOf }} end={to} />
      )}
    </SectionCard>
  );
}

/** A day by its date, a week by its first day, a month by its name. */
const partName = ({ from }: Part, unit: Dashboard['unit']): string =>
  unit === 'month'
    ? new Intl.DateTimeFormat(document.documentElement.lang, { month: 'short' }).format(new Date(from))
    : formatDay(from);

function Columns({
  parts,
  unit,
  title,
  sessionsOf,
  end,
}: Pick<Dashboard, 'parts' | 'unit'> & { title: string; end: string; sessionsOf: Props['sessionsOf'] }) {
  const { t } = useTranslation();
  const may = useMay();
  const chart = useRef<HTMLDivElement>(null);
  const last = parts.findLastIndex(({ outcomes }) => filesOf(outcomes) > 0);
  // Where not all have room, the newest that has something is seen first; also after the room has changed.
  useEffect(() => {
    const box = chart.current;
    if (!box) return;
    const watch = new ResizeObserver(() => {
      box.scrollLeft = ((last + 1) / parts.length) * box.scrollWidth - box.clientWidth;
    });
    watch.observe(box);
    return () => watch.disconnect();
  }, [last, parts.length]);
  const highest = Math.max(1, ...parts.map(({ outcomes }) => filesOf(outcomes)));
  const told = (part: Part) =>
    [
      `${partName(part, unit)}: ${t('dashboard.files', { count: filesOf(part.outcomes), shown: formatNumber(filesOf(part.outcomes)) })}`,
      ...outcomeGroups.flatMap(({ key, statuses }) => {
        const n = countOf(part.outcomes, statuses);
        return n > 0 ? [`${t(`dashboard.outcome.${key}`)} ${formatNumber(n)}`] : [];
      }),
    ].join(' · ');
  return (
    <div className={classes.chart} ref={chart}>
      <span className={classes.highest} aria-hidden>
        {formatNumber(highest)}
      </span>
      <ol className={classes.columns} aria-label={title}>
        {parts.map((part, at) => {
          const stack = outcomeGroups.map(({ key, statuses }) => (
            <span
              key={key}
              data-outcome={key}
              style={{ blockSize: `${(countOf(part.outcomes, statuses) / highest) * 100}%` }}
            />
          ));
          const shown = { className: classes.column, 'aria-label': told(part) };
          return (
            <li key={part.from}>
              <Hint label={told(part)} position="top">
                {may('sessions.view') ? (
                  <Link to={sessionsOf(part.from, parts[at + 1]?.from ?? end)} {...shown}>
                    {stack}
                  </Link>
                ) : (
                  <span role="img" {...shown}>
                    {stack}
                  </span>
                )}
              </Hint>
              <small aria-hidden data-is-marked={at % Math.ceil(parts.length / 8) === 0 || undefined}>
                {partName(part, unit)}
              </small>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function PartsTable({ parts, unit, title }: Pick<Dashboard, 'parts' | 'unit'> & { title: string }) {
  const { t } = useTranslation();
  return (
    <ChartTable
      title={title}
      head={[
        t(`dashboard.unit.${unit}`),
        t('dashboard.allFiles'),
        ...outcomeGroups.map(({ key }) => t(`dashboard.outcome.${key}`)),
      ]}
      rows={parts.map((part) => ({
        key: part.from,
        name: partName(part, unit),
        title: formatTime(part.from),
        cells: [
          formatNumber(filesOf(part.outcomes)),
          ...outcomeGroups.map(({ statuses }) => formatNumber(countOf(part.outcomes, statuses))),
        ],
      }))}
    />
  );
}
