import { Anchor } from '@mantine/core';
import type { Dashboard, PlanState } from '@pdf2press/contract';
import { IconClockHour4, IconCoins, IconDatabase, IconFiles, IconHourglass } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { formatDay, formatNumber, formatPercent, formatSize } from '../language/formats.ts';
import { LimitRow } from '../plan/plan-usage.tsx';
import classes from './dashboard.module.css';
import { changeOf, filesOf } from './outcome-groups.ts';

/** Where storage begins to cost more, or ends: whichever comes first. Null where there is no limit. */
function storageLimit({ plan }: PlanState): number | null {
  const limits = [plan.quotas.storageBytes, plan.storage.includedBytes].filter((limit) => limit !== null);
  return limits.length > 0 ? Math.min(...limits) : null;
}

/** The numbers on top. Each says what it is compared with, and those that are calculated say from what. */
export function KeyFigures({
  dashboard,
  planned,
  listOf,
}: {
  dashboard: Dashboard;
  /** Known to those who see the storage of the whole house. */
  planned: PlanState | undefined;
  listOf: (question: string) => string;
}) {
  const { t } = useTranslation();
  const may = useMay();
  const { outcomes, previous, savings, storage, needsYou } = dashboard;
  const files = filesOf(outcomes);
  const stored = storage?.months.at(-1);
  return (
    <div className={classes.figures}>
      <Figure icon={IconFiles} label={t('dashboard.allFiles')} value={formatNumber(files)}>
        <Change dashboard={dashboard} change={changeOf(files, filesOf(previous.outcomes))} />
      </Figure>
      {savings && <Savings dashboard={dashboard} savings={savings} />}
      <Figure icon={IconHourglass} label={t('dashboard.people')} value={formatNumber(needsYou.onHold)}>
        {may('sessions.view') ? (
          <Anchor component={Link} to={listOf('status=OnHold')} fz="inherit" td="underline">
            {t('dashboard.waitingNow')}
          </Anchor>
        ) : (
          t('dashboard.waitingNow')
        )}
      </Figure>
      {planned ? (
        <Figure icon={IconDatabase} label={t('dashboard.stored')} value={formatSize(planned.usage.storageBytes)}>
          <LimitRow used={planned.usage.storageBytes} limit={storageLimit(planned)} show={formatSize} />
        </Figure>
      ) : (
        stored && (
          <Figure icon={IconDatabase} label={t('dashboard.stored')} value={formatSize(stored.bytes)}>
            {t('dashboard.measured', { day: formatDay(storage?.measuredAt ?? `${stored.month}-01`) })}
          </Figure>
        )
      )}
    </div>
  );
}

function Savings({ dashboard, savings }: { dashboard: Dashboard; savings: NonNullable<Dashboard['savings']> }) {
  const { t } = useTranslation();
  const may = useMay();
  const { averagePrepressTime, estimatedPrepressLaborCost, files, minutes, cost, previousMinutes, previousCost } =
    savings;
  const settings = may('settings.general.manage') && (
    <Anchor component={Link} to="/settings?tab=savings" fz="inherit" td="underline">
      {t('dashboard.change')}
    </Anchor>
  );
  const rounded = (value: number) => formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 });
  const isTimed = averagePrepressTime > 0;
  if (!isTimed && estimatedPrepressLaborCost === 0)
    return (
      <Figure icon={IconClockHour4} label={t('dashboard.timeSaved')} value="–">
        {t('dashboard.setTime')} {settings}
      </Figure>
    );
  return (
    <>
      <Figure
        icon={IconClockHour4}
        label={t('dashboard.timeSaved')}
        value={isTimed ? t('dashboard.hours', { hours: rounded(minutes / 60) }) : '–'}
      >
        {isTimed && <Change dashboard={dashboard} change={changeOf(minutes, previousMinutes)} />}
        <span>
          {isTimed
            ? t('dashboard.timeFormula', { files: formatNumber(files), minutes: formatNumber(averagePrepressTime) })
            : t('dashboard.setTime')}{' '}
          {settings}
        </span>
      </Figure>
      <Figure
        icon={IconCoins}
        label={t('dashboard.costSaved')}
        value={estimatedPrepressLaborCost === 0 ? '–' : rounded(cost)}
      >
        {estimatedPrepressLaborCost === 0 ? (
          <span>
            {t('dashboard.setCost')} {settings}
          </span>
        ) : (
          <>
            <Change dashboard={dashboard} change={changeOf(cost, previousCost)} />
            <span>
              {t('dashboard.costFormula', {
                files: formatNumber(files),
                cost: formatNumber(estimatedPrepressLaborCost, { maximumFractionDigits: 2 }),
              })}
            </span>
          </>
        )}
      </Figure>
    </>
  );
}

function Figure({
  icon: Icon,
  label,
  value,
  children,
}: {
  icon: typeof IconFiles;
  label: string;
  value: string;
  children: ReactNode;
}) {
  return (
    <section className={`card ${classes.figure}`} aria-label={label}>
      <h2>
        <Icon size={18} stroke={1.8} aria-hidden /> {label}
      </h2>
      <p className={`tabular ${classes.value}`}>{value}</p>
      <div className={classes.below}>{children}</div>
    </section>
  );
}

/** The change against the period before; of a period that has not ended, against as much of it. */
function Change({ dashboard, change }: { dashboard: Dashboard; change: number | null }) {
  const { t } = useTranslation();
  const before = t(`dashboard.before.${dashboard.period}`);
  if (change === null) return <span>{t('dashboard.noneBefore', { before })}</span>;
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return (
    <span>
      <strong className="tabular">
        {sign}
        {formatPercent(Math.abs(change))}
      </strong>{' '}
      {t(dashboard.isRunning ? 'dashboard.againstSoFar' : 'dashboard.against', { before })}
    </span>
  );
}
