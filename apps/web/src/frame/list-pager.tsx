import { Group, NativeSelect, Text } from '@mantine/core';
import { pageSizes } from '@pdf2press/contract';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import type { ListAddress } from './list-address.ts';

// Loaded only for lists with more than one page.
const PageNumbers = lazy(async () => ({ default: (await import('./page-numbers.tsx')).PageNumbers }));

/** Shown range, rows per page and page navigation. */
export function ListPager({ address, total }: { address: ListAddress; total: number }) {
  const { t } = useTranslation();
  const { page, pageSize } = address;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (total <= Math.min(...pageSizes)) return null;
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <NativeSelect
          size="xs"
          aria-label={t('list.rows')}
          value={String(pageSize)}
          data={pageSizes.map(String)}
          onChange={(event) => address.change({ pageSize: Number(event.currentTarget.value) })}
        />
        <Text size="sm" c="dimmed" className="tabular">
          {t('list.range', {
            from: formatNumber((page - 1) * pageSize + 1),
            to: formatNumber(Math.min(page * pageSize, total)),
            total: formatNumber(total),
          })}
        </Text>
      </Group>
      <Suspense fallback={<span style={{ blockSize: 26 }} />}>
        <PageNumbers page={page} pages={pages} onOpen={(next) => address.change({ page: next })} />
      </Suspense>
    </Group>
  );
}
