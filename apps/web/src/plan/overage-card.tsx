import { Group, Text } from '@mantine/core';
import type { Overage, PlanState } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { formatNumber, formatSize } from '../language/formats.ts';
import { LimitRow } from './plan-usage.tsx';

const money = (value: number, currency: string): string => formatNumber(value, { style: 'currency', currency });

const nameOf = (month: string, language: string): string =>
  new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

const isFree = ({ includedBytes, pricePerGb }: PlanState['plan']['storage']): boolean =>
  includedBytes === null || pricePerGb === 0;

/** Whether there is something to tell: storage is charged, or was. */
export const isCharged = ({ plan, overage }: Pick<PlanState, 'plan' | 'overage'>): boolean =>
  !isFree(plan.storage) || overage.months.some(({ cost }) => cost > 0);

/** What storage beyond the included bytes costs: now, this month, and by month. */
export function OverageCard({ plan, overage }: Pick<PlanState, 'plan' | 'overage'>) {
  const { t } = useTranslation();
  const { includedBytes, pricePerGb, currency } = plan.storage;
  if (!isCharged({ plan, overage })) return null;
  return (
    <SectionCard
      title={t('plan.overage')}
      text={
        isFree(plan.storage) ? t('plan.overageNone') : t('plan.overageText', { price: money(pricePerGb, currency) })
      }
    >
      <ListRows>
        <LimitRow name={t('plan.included')} used={overage.bytes} limit={includedBytes} show={formatSize} />
        <Text>
          {t('plan.expected')} <strong className="tabular">{money(overage.expectedCost, currency)}</strong>
        </Text>
      </ListRows>
      <History months={overage.months} />
    </SectionCard>
  );
}

function History({ months }: { months: Overage['months'] }) {
  const { t, i18n } = useTranslation();
  if (months.length === 0) return null;
  return (
    <>
      <Text fw={600} mt="md" mb={4}>
        {t('plan.history')}
      </Text>
      <ListRows>
        {months.map(({ month, currency, peakBytes, overBytes, cost }) => (
          <Group key={`${month} ${currency}`} justify="space-between" className="tabular">
            <div>
              {nameOf(month, i18n.language)}
              <Text c="dimmed" size="sm">
                {t('plan.ofMonth', { peak: formatSize(peakBytes), over: formatSize(overBytes) })}
              </Text>
            </div>
            <strong>{money(cost, currency)}</strong>
          </Group>
        ))}
      </ListRows>
    </>
  );
}
