import { Text } from '@mantine/core';
import type { Dashboard } from '@pdf2press/contract';
import { IconAlertTriangle, IconClockExclamation, IconHandStop, IconMailOff, IconXboxX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { formatDuration, formatNumber, formatSize } from '../language/formats.ts';
import { StatusIcon, severityLooks } from '../sessions/status.tsx';
import { ChartTable, TableToggle } from './chart-table.tsx';
import classes from './dashboard.module.css';

/** What waits for somebody now, whatever the period. */
export function NeedsYou({ needs, listOf }: { needs: Dashboard['needsYou']; listOf: (question: string) => string }) {
  const { t } = useTranslation();
  const may = useMay();
  const { onHold, failed, proofs } = needs;
  const rows = [
    { key: 'onHold', count: onHold, icon: IconHandStop, tone: 'warning', question: 'status=OnHold' },
    {
      key: 'overdue',
      count: proofs?.overdue ?? 0,
      icon: IconClockExclamation,
      tone: 'error',
      question: 'proof=overdue',
    },
    {
      key: 'unreached',
      count: proofs?.unreached ?? 0,
      icon: IconMailOff,
      tone: 'error',
      question: 'proof=unreached',
    },
    { key: 'proofs', count: proofs?.waiting ?? 0, icon: IconAlertTriangle, tone: 'info', question: 'proof=waiting' },
    { key: 'failed', count: failed, icon: IconXboxX, tone: 'error', question: 'status=Failed&period=last7Days' },
  ] as const;
  const shown = rows.filter(({ count }) => count > 0);
  return (
    <SectionCard title={t('dashboard.needsYou')}>
      {shown.length === 0 ? (
        <Text c="dimmed">{t('dashboard.nothing')}</Text>
      ) : (
        <ul className={classes.needs}>
          {shown.map(({ key, count, icon, tone, question }) => {
            const text = (
              <>
                <StatusIcon look={{ tone, icon }} size={20} />
                <strong className="tabular">{formatNumber(count)}</strong>
                <span>{t(`dashboard.needs.${key}`, { count })}</span>
              </>
            );
            return (
              <li key={key}>{may('sessions.view') ? <Link to={listOf(question)}>{text}</Link> : <div>{text}</div>}</li>
            );
          })}
        </ul>
      )}
    </SectionCard>
  );
}

interface Bar {
  key: string;
  name: ReactNode;
  value: number;
  shown: string;
  /** A second part of the bar. */
  part?: number;
  below?: string;
  /** What the table says of it. */
  cells: readonly string[];
}

/** A chart of bars, which is also a table. */
function BarsCard({
  title,
  text,
  empty,
  head,
  bars,
  children,
}: {
  title: string;
  text?: string;
  empty: string;
  head: readonly string[];
  bars: readonly Bar[];
  /** The legend of the bars. */
  children?: ReactNode;
}) {
  const [isTable, setTable] = useState(false);
  const toggle = bars.length > 0 && <TableToggle title={title} isTable={isTable} onChange={setTable} />;
  return (
    <SectionCard title={title} {...(text && { text })} action={toggle}>
      {isTable && bars.length > 0 ? (
        <ChartTable title={title} head={head} rows={bars} />
      ) : (
        <>
          {children}
          <Bars empty={empty} bars={bars} />
        </>
      )}
    </SectionCard>
  );
}

/** A list of bars, the longest as wide as the card. The numbers stand beside them: nothing is told by the bar alone. */
function Bars({ bars, empty }: { bars: readonly Bar[]; empty: string }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <ul className={classes.bars}>
      {bars.map(({ key, name, value, shown, part, below }) => (
        <li key={key}>
          <div className={classes.barHead}>
            <span>{name}</span>
            <strong className="tabular">{shown}</strong>
          </div>
          <div className={classes.bar} aria-hidden>
            <span style={{ inlineSize: `${((value - (part ?? 0)) / highest) * 100}%` }} />
            {part ? <span data-is-part style={{ inlineSize: `${(part / highest) * 100}%` }} /> : null}
          </div>
          {below && <div className={classes.barBelow}>{below}</div>}
        </li>
      ))}
    </ul>
  );
}

export function Findings({ findings }: Pick<Dashboard, 'findings'>) {
  const { t } = useTranslation();
  return (
    <BarsCard
      title={t('dashboard.findings')}
      text={t('dashboard.findingsText')}
      empty={t('dashboard.noFindings')}
      head={[t('dashboard.column.finding'), t('dashboard.allFiles')]}
      bars={findings.map(({ check, rule, label, severity, files }) => ({
        key: `${severity} ${check} ${rule}`,
        name: (
          <>
            <StatusIcon look={severityLooks[severity]} size={16} />
            <span className="visually-hidden">{t(`severity.${severity}`)}: </span> {label}
          </>
        ),
        value: files,
        shown: formatNumber(files),
        cells: [formatNumber(files)],
      }))}
    />
  );
}

/** Time by step kind: by the machine, and waiting for people. */
export function StepTimes({ steps }: Pick<Dashboard, 'steps'>) {
  const { t } = useTranslation();
  const whose = ['machine', 'people'] as const;
  const measures = ['total', 'half', 'most'] as const;
  return (
    <BarsCard
      title={t('dashboard.steps')}
      text={t('dashboard.stepsText')}
      empty={t('dashboard.noSteps')}
      head={[
        t('dashboard.column.step'),
        ...whose.flatMap((of) =>
          measures.map((measure) => `${t(`dashboard.${of}`)}: ${t(`dashboard.column.${measure}`)}`),
        ),
      ]}
      bars={steps.map(({ kind, machine, people }) => {
        const spans = { p50: formatDuration(machine.p50Ms), p95: formatDuration(machine.p95Ms) };
        return {
          key: kind,
          name: t(`step.${kind}`),
          value: machine.totalMs + (people?.totalMs ?? 0),
          part: people?.totalMs ?? 0,
          shown: formatDuration(machine.totalMs + (people?.totalMs ?? 0)),
          below: [
            t('dashboard.machineTimes', spans),
            ...(people
              ? [t('dashboard.peopleTimes', { p50: formatDuration(people.p50Ms), p95: formatDuration(people.p95Ms) })]
              : []),
          ].join(' · '),
          cells: [machine, people].flatMap((times) =>
            times ? [times.totalMs, times.p50Ms, times.p95Ms].map(formatDuration) : measures.map(() => '–'),
          ),
        };
      })}
    >
      <ul className={classes.legend}>
        {whose.map((of) => (
          <li key={of}>
            <span className={classes.swatch} data-time={of} aria-hidden /> {t(`dashboard.${of}`)}
          </li>
        ))}
      </ul>
    </BarsCard>
  );
}

type Shares = Dashboard['workflows'];

export function BusiestWorkflows({ workflows, linkOf }: { workflows: Shares; linkOf: (id: string) => string }) {
  const { t } = useTranslation();
  return (
    <BarsCard
      title={t('dashboard.busiest')}
      empty={t('dashboard.noFiles')}
      head={[t('field.workflow'), t('dashboard.allFiles'), t('dashboard.outcome.failed')]}
      bars={workflows.map(({ id, name, files, failed }) => ({
        key: id,
        name: <Link to={linkOf(id)}>{name ?? t('dashboard.gone')}</Link>,
        value: files,
        shown: formatNumber(files),
        ...(failed > 0 && { below: t('dashboard.failedOf', { count: failed, shown: formatNumber(failed) }) }),
        cells: [formatNumber(files), formatNumber(failed)],
      }))}
    />
  );
}

/** Organizations by failures; sessions without an organization are one of the rows. */
export function MostFailures({ organizations, linkOf }: { organizations: Shares; linkOf: (id: string) => string }) {
  const { t } = useTranslation();
  return (
    <BarsCard
      title={t('dashboard.failures')}
      text={t('dashboard.failuresText')}
      empty={t('dashboard.noFailures')}
      head={[t('dashboard.organization'), t('dashboard.outcome.failed'), t('dashboard.allFiles')]}
      bars={organizations
        .filter(({ failed }) => failed > 0)
        .map(({ id, name, files, failed }) => ({
          key: id,
          name: id === '' ? t('dashboard.noOrganization') : <Link to={linkOf(id)}>{name ?? t('dashboard.gone')}</Link>,
          value: failed,
          shown: formatNumber(failed),
          below: t('dashboard.ofFiles', { count: files, shown: formatNumber(files) }),
          cells: [formatNumber(failed), formatNumber(files)],
        }))}
    />
  );
}

export function Storage({ storage }: { storage: NonNullable<Dashboard['storage']> }) {
  const { t, i18n } = useTranslation();
  const name = (month: string) =>
    new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-01T00:00:00Z`),
    );
  return (
    <BarsCard
      title={t('dashboard.storage')}
      text={t('dashboard.storageText')}
      empty={t('dashboard.notMeasured')}
      head={[t('dashboard.unit.month'), t('dashboard.stored')]}
      bars={storage.months.map(({ month, bytes }) => ({
        key: month,
        name: name(month),
        value: bytes,
        shown: formatSize(bytes),
        cells: [formatSize(bytes)],
      }))}
    />
  );
}
