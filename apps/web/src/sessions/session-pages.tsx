import { Loader, SegmentedControl, Text } from '@mantine/core';
import type { Session, SessionFinding } from '@pdf2press/contract';
import { IconFileOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, failureText } from '../client/call-error.ts';
import type { FileVersion } from '../viewer/page-source.ts';
import { PageViewer } from '../viewer/page-viewer.tsx';
import classes from './session.module.css';
import { useSessionPages } from './use-session.ts';

interface Props {
  session: Session;
  version: FileVersion;
  onVersion: (version: FileVersion) => void;
  page: number;
  onPage: (page: number) => void;
  chosen: { finding: SessionFinding; times: number } | null;
  onChoose: (finding: SessionFinding) => void;
}

/** The pages of the file that came, or of the one that was made of it. */
export function SessionPages({ session, version, onVersion, page, onPage, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const hasProduction = session.files.some((file) => file.kind === 'ProductionFile');
  const isUnreadable = session.failure?.code.startsWith('PDF_') === true && session.pageCount === null;
  const { data, error } = useSessionPages(session.id, version, !isUnreadable, page);
  const isWaiting = !data && !isUnreadable && (!error || (error instanceof CallError && error.status === 202));
  const sha256 = data?.sha256 ?? '';
  const source = useMemo(() => ({ sessionId: session.id, version, sha256 }), [session.id, version, sha256]);
  return (
    <>
      {hasProduction && (
        <SegmentedControl
          className={classes.versions}
          size="xs"
          aria-label={t('session.version')}
          value={version}
          onChange={(value) => onVersion(value as FileVersion)}
          data={(['original', 'production'] as const).map((value) => ({ value, label: t(`session.version.${value}`) }))}
        />
      )}
      {data && data.pages.length > 0 ? (
        <PageViewer
          source={source}
          pages={data.pages}
          current={Math.min(page, data.pages.length)}
          onOpen={onPage}
          findings={session.findings}
          chosen={chosen}
          onChoose={onChoose}
        />
      ) : (
        <div className={classes.noPages} role="status">
          {isWaiting ? <Loader aria-hidden /> : <IconFileOff size={32} stroke={1.5} aria-hidden />}
          <Text>{isWaiting ? t('page.notReady') : isUnreadable ? t('session.noPages') : failureText(error, t)}</Text>
        </div>
      )}
    </>
  );
}
