import { Button, Menu } from '@mantine/core';
import { type ReportFormat, reportFormats, type Session } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { IconChevronDown, IconFileDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { downloadMade } from '../client/made-file.ts';
import { notify } from '../frame/toasts.tsx';

/** Downloads of the preflight report: a PDF to read, an annotated copy of the file, or JSON. */
export function ReportMenu({ session }: { session: Session }) {
  const { t } = useTranslation();
  const may = useMay();
  const making = useMutation({
    mutationFn: (format: ReportFormat) =>
      downloadMade(() => call(sessionRoutes.report, { params: { id: session.id, format } })),
    onError: notify.failure,
  });
  const isChecked = session.steps.some((step) => step.runNumber === session.runNumber && step.checks.length > 0);
  if (!isChecked || session.isDeleted || !may('sessions.files.download')) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          loading={making.isPending}
          leftSection={<IconFileDownload size={16} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {t('report.report')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {reportFormats.map((format) => (
          <Menu.Item key={format} onClick={() => making.mutate(format)}>
            {t(`report.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
