import { Button } from '@mantine/core';
import type { Call } from '@pdf2press/contract';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '../client/address.ts';
import { download } from '../client/call.ts';
import { notify } from './toasts.tsx';

interface Props {
  /** The list, whose export is the same address with a file's name behind it. */
  list: Call;
  /** What stands in its address. */
  params?: Readonly<Record<string, string>>;
  /** What the list was asked for; its page and their size do not matter. */
  query: { page?: number; pageSize?: number };
}

/** Saves all pages of a list as CSV, as it is filtered and sorted now. */
export function ExportButton({ list, params = {}, query: { page: _page, pageSize: _pageSize, ...query } }: Props) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      onClick={() =>
        void download(pathOf({ ...list, path: `${list.path}/export.csv` }, params, query)).catch(notify.failure)
      }
    >
      {t('list.export')}
    </Button>
  );
}
