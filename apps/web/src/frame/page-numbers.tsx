import { Pagination } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Page numbers with links to the next and the last page. */
export function PageNumbers({ page, pages, onOpen }: { page: number; pages: number; onOpen: (page: number) => void }) {
  const { t } = useTranslation();
  return (
    <Pagination
      size="sm"
      total={pages}
      value={Math.min(page, pages)}
      onChange={onOpen}
      withEdges
      getControlProps={(control) => ({ 'aria-label': t(`list.${control}`) })}
      getItemProps={(item) => ({ 'aria-label': t('list.page', { page: item }) })}
    />
  );
}
