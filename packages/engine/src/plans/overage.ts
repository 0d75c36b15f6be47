import type { Overage } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';

const gigabyte = 1024 ** 3;
const monthsShown = 12;

interface Latest {
  bytes: number;
  measuredAt: Date;
  includedBytes: number | null;
  pricePerGb: number;
  currency: string;
  /** Of the month of the measurement, which ends with the last of them. */
  daysOfMonth: number;
  daysLeft: number;
  month: string;
}

const daysOfMonth = Prisma.sql`extract(day from date_trunc('month', day) + interval '1 month - 1 day')`;

/** What a subscriber's storage beyond the included bytes has cost, by month, and what the present month will cost. */
export async function readOverage(tx: Transaction, subscriberId: string): Promise<Overage> {
  const months = await tx.$queryRaw<Overage['months']>`
    select month, currency, max(bytes)::float8 as "peakBytes", avg(over_bytes)::float8 as "overBytes",
           sum(over_bytes / ${gigabyte}::float8 * price_per_gb / days) as cost
      from (select to_char(day, 'YYYY-MM') as month, currency, bytes, price_per_gb, ${daysOfMonth}::float8 as days,
                   greatest(0, bytes - coalesce(included_bytes, bytes))::float8 as over_bytes
              from storage_days where subscriber_id = ${subscriberId}) measured
     group by month, currency order by month desc, currency limit ${monthsShown}`;
  const [latest] = await tx.$queryRaw<Latest[]>`
    select bytes::float8 as bytes, measured_at as "measuredAt", included_bytes::float8 as "includedBytes",
           price_per_gb as "pricePerGb", currency, ${daysOfMonth}::int as "daysOfMonth",
           (${daysOfMonth} - extract(day from day))::int as "daysLeft", to_char(day, 'YYYY-MM') as month
      from storage_days where subscriber_id = ${subscriberId} order by day desc limit 1`;
  if (!latest) return { measuredAt: null, bytes: 0, months, expectedCost: 0 };
  const { bytes, includedBytes, pricePerGb, currency, month, daysLeft } = latest;
  const over = Math.max(0, bytes - (includedBytes ?? bytes));
  const soFar = months.find((one) => one.month === month && one.currency === currency)?.cost ?? 0;
  return {
    measuredAt: latest.measuredAt.toISOString(),
    bytes,
    months,
    expectedCost: soFar + ((over / gigabyte) * pricePerGb * daysLeft) / latest.daysOfMonth,
  };
}
