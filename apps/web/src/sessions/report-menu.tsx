import { Button, Menu } from '@mantine/core';
import { type ReportFormat, reportFormats, type Session } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { IconChevronDown, IconFileDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call, download } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';

/** Polling interval and time limit for a report that is being created, milliseconds. */
const askMilliseconds = 1500;
const patienceMilliseconds = 600_000;

/** Waits until the report has been created and returns its address. */
async function made(id: string, format: ReportFormat): Promise<{ name: string; downloadUrl: string }> {
  for (const end = Date.now() + patienceMilliseconds; ; ) {
    const { name, downloadUrl } = await call(sessionRoutes.report, { params: { id, format } });
    if (downloadUrl) return { name, downloadUrl };
    if (Date.now() > end) throw new Error(name);
    await new Promise((resolve) => setTimeout(resolve, askMilliseconds));
  }
}

/** Downloads of the preflight report: JSON, PDF, or an annotated copy of the file. */
export function ReportMenu({ session }: { session: Session }) {
  const { t } = useTranslation();
  const may = useMay();
  const making = useMutation({
    mutationFn: async (format: ReportFormat) => {
      const { name, downloadUrl } = await made(session.id, format);
      await download(downloadUrl, name);
    },
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
