import { Loader, SegmentedControl, Text } from '@mantine/core';
import type { Session, SessionFinding } from '@pdf2press/contract';
import { IconFileOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, failureText } from '../client/call-error.ts';
import { CompareViewer } from '../viewer/compare-viewer.tsx';
import type { FileVersion } from '../viewer/page-source.ts';
import { PageViewer } from '../viewer/page-viewer.tsx';
import { worstByPage } from '../viewer/thumbnails.tsx';
import classes from './session.module.css';
import { versionOf } from './step-files.ts';
import { useFindingCounts, useFindings } from './use-findings.ts';
import { useSessionPages } from './use-session.ts';

/** One version of the file, or a comparison of both. */
export type PageView = FileVersion | 'compare';

interface Props {
  session: Session;
  view: PageView;
  onView: (view: PageView) => void;
  page: number;
  onPage: (page: number) => void;
  chosen: { finding: SessionFinding; times: number } | null;
  onChoose: (finding: SessionFinding) => void;
}

const viewWords = {
  original: 'session.version.original',
  production: 'session.version.production',
  compare: 'compare.compare',
} as const satisfies Record<PageView, string>;

/** The pages of the original, of the production file, or of both. */
export function SessionPages({ session, view, onView, ...rest }: Props) {
  const { t } = useTranslation();
  const hasProduction = session.files.some(
    (file) => file.kind === 'ProductionFile' && file.mediaType === 'application/pdf',
  );
  const shown = hasProduction ? view : 'original';
  return (
    <>
      {hasProduction && (
        <SegmentedControl
          className={classes.versions}
          size="xs"
          aria-label={t('session.version')}
          value={shown}
          onChange={(value) => onView(value as PageView)}
          data={Object.entries(viewWords).map(([value, word]) => ({ value, label: t(word) }))}
        />
      )}
      {shown === 'compare' ? (
        <BothVersions session={session} {...rest} />
      ) : (
        <OneVersion session={session} version={shown} {...rest} />
      )}
    </>
  );
}

/** The pages of a version with their raster source, or a notice while there are none. */
export function useVersion(session: Session, version: FileVersion, page: number) {
  const isUnreadable = session.failure?.code.startsWith('PDF_') === true && session.pageCount === null;
  const { data, error } = useSessionPages(session.id, version, !isUnreadable, page);
  const isWaiting = !data && !isUnreadable && (!error || (error instanceof CallError && error.status === 202));
  const sha256 = data?.sha256 ?? '';
  const source = useMemo(() => ({ sessionId: session.id, version, sha256 }), [session.id, version, sha256]);
  return { pages: data?.pages ?? [], source, error, isWaiting, isUnreadable };
}

type VersionProps = Omit<Props, 'view' | 'onView'>;

function OneVersion({ session, version, page, onPage, chosen, onChoose }: VersionProps & { version: FileVersion }) {
  const state = useVersion(session, version, page);
  const { items } = useFindings(session.id, { onPage: page }, { isWhole: true });
  const counts = useFindingCounts(session.id);
  // Findings are in the coordinates of the file that was checked.
  const findings = useMemo(
    () => items.filter((finding) => versionOf(session, finding) === version),
    [items, session, version],
  );
  const worst = useMemo(
    () => worstByPage(counts?.pages.filter((place) => versionOf(session, place) === version) ?? []),
    [counts, session, version],
  );
  if (state.pages.length === 0) return <NoPages {...state} />;
  return (
    <PageViewer
      source={state.source}
      pages={state.pages}
      current={Math.min(page, state.pages.length)}
      onOpen={onPage}
      findings={findings}
      worst={worst}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

function BothVersions({ session, page, onPage }: VersionProps) {
  const original = useVersion(session, 'original', page);
  const production = useVersion(session, 'production', page);
  if (original.pages.length === 0) return <NoPages {...original} />;
  if (production.pages.length === 0) return <NoPages {...production} />;
  return <CompareViewer original={original} production={production} current={page} onOpen={onPage} />;
}

export function NoPages({ isWaiting, isUnreadable, error }: Omit<ReturnType<typeof useVersion>, 'pages' | 'source'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.noPages} role="status">
      {isWaiting ? <Loader aria-hidden /> : <IconFileOff size={32} stroke={1.5} aria-hidden />}
      <Text>{isWaiting ? t('page.notReady') : isUnreadable ? t('session.noPages') : failureText(error, t)}</Text>
    </div>
  );
}
