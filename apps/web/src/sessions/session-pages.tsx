import { Loader, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import type { Session, SessionFinding, SessionPage } from '@pdf2press/contract';
import { IconArrowRight, IconFileOff } from '@tabler/icons-react';
import { lazy, Suspense, type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, failureText } from '../client/call-error.ts';
import { dropFirstPage } from '../client/first-page.ts';
import { useFullScreen } from '../viewer/full-screen.ts';
import { pagesSeen, type Reading } from '../viewer/openings.ts';
import type { FileVersion } from '../viewer/page-source.ts';
import { PageViewer } from '../viewer/page-viewer.tsx';
import { useReading } from '../viewer/reading.tsx';
import { useAhead } from '../viewer/use-ahead.ts';
import { worstByPage } from '../viewer/worst-by-page.ts';
import classes from './session.module.css';
import { isOnlyParts, PartsPage } from './session-arrival.tsx';
import { keepStagePlace } from './stage-place.ts';
import { type ShownVersion, versionOf, versionsOf } from './step-files.ts';
import { stepTitle } from './step-title.ts';
import { useFindingCounts, useFindings } from './use-findings.ts';
import { useSessionPages } from './use-session.ts';
import { useSessionSource } from './use-session-source.ts';

/** Loaded when versions are first compared. */
const CompareViewer = lazy(async () => ({ default: (await import('../viewer/compare-viewer.tsx')).CompareViewer }));

/** One version of the file, or `compare` for a comparison of two. */
export type PageView = FileVersion;

interface Props {
  session: Session;
  view: PageView;
  onView: (view: PageView) => void;
  page: number;
  onPage: (page: number) => void;
  chosen: { finding: SessionFinding; times: number } | null;
  onChoose: (finding: SessionFinding) => void;
}

/** What the versions are called: those between original and production by the step that made them. */
function useVersions(session: Session): (Omit<ShownVersion, 'file' | 'step'> & { label: string })[] {
  const { t } = useTranslation();
  return versionsOf(session).map(({ version, step }) => ({
    version,
    label:
      step === null
        ? t('session.version.original')
        : version === 'production'
          ? t('session.version.production')
          : t('session.version.after', { step: stepTitle(step, t) }),
  }));
}

/** The pages of a version of the file, or of two beside each other; of a file without pages, what it was divided into. */
export const SessionPages = (props: Props) =>
  props.session.parts && isOnlyParts(props.session) ? (
    <PartsPage parts={props.session.parts} />
  ) : (
    <VersionPages {...props} />
  );

function VersionPages({ session, view, onView, ...rest }: Props) {
  const { t } = useTranslation();
  const versions = useVersions(session);
  const isShown = view === 'compare' ? versions.length > 1 : versions.some(({ version }) => version === view);
  const shown = isShown ? view : (versions[0]?.version ?? 'original');
  return (
    <>
      {versions.length > 1 && (
        <SegmentedControl
          className={classes.versions}
          size="xs"
          aria-label={t('session.version')}
          value={shown}
          onChange={(value) => onView(value)}
          data={[
            ...versions.map(({ version, label }) => ({ value: version, label })),
            { value: 'compare', label: t('compare.compare') },
          ]}
        />
      )}
      {shown === 'compare' ? (
        <BothVersions session={session} versions={versions} {...rest} />
      ) : (
        <OneVersion session={session} version={shown} {...rest} />
      )}
    </>
  );
}

const noPages: readonly SessionPage[] = [];

/** The pages of a version with their raster source, or a notice while there are none. `reading`: how they are shown. */
export function useVersion(session: Session, version: FileVersion, page: number, reading: Reading = 'single') {
  const isUnreadable = session.failure?.code.startsWith('PDF_') === true && session.pageCount === null;
  const shown = pagesSeen(reading, page, session.pageCount ?? page);
  const { data, error } = useSessionPages(session.id, version, !isUnreadable, shown);
  const isWaiting = !data && !isUnreadable && (!error || (error instanceof CallError && error.status === 202));
  const source = useSessionSource(session.id, version, data?.sha256);
  const pages = data?.pages ?? noPages;
  useAhead({ source, pages, current: page, reading });
  return { pages, binding: data?.binding ?? 'Left', source, error, isWaiting, isUnreadable };
}

type VersionProps = Omit<Props, 'view' | 'onView'>;

function OneVersion({ session, version, page, onPage, chosen, onChoose }: VersionProps & { version: FileVersion }) {
  const { reading } = useReading();
  const state = useVersion(session, version, page, reading);
  const counts = useFindingCounts(session.id);
  // Findings are in the coordinates of the file that was checked.
  const places = useMemo(
    () => counts?.pages.filter((place) => versionOf(session, place) === version) ?? [],
    [counts, session, version],
  );
  const stepRunId = places.at(-1)?.stepRunId ?? '';
  const findings = useFindingsOn(session.id, stepRunId, pagesSeen(reading, page, session.pageCount ?? page));
  const worst = useMemo(
    () => worstByPage(places.filter((place) => place.stepRunId === stepRunId)),
    [places, stepRunId],
  );
  const fullScreen = useFullScreen();
  /** The page at which the place of the stage was kept last: a page has many pictures, and reading the place costs a layout. */
  const placeKeptAt = useRef(0);
  if (state.pages.length === 0) return <NoPages {...state} />;
  const onPicture = ({ target }: SyntheticEvent) => {
    const stage = target instanceof Element && target.closest('[role=group]');
    if (!stage) return;
    if (!fullScreen?.isOn && placeKeptAt.current !== page) {
      placeKeptAt.current = page;
      keepStagePlace(session, stage.getBoundingClientRect());
    }
    dropFirstPage();
  };
  return (
    <div className={classes.asIfNotThere} onLoadCapture={onPicture}>
      <PageViewer
        source={state.source}
        pages={state.pages}
        binding={state.binding}
        current={Math.min(page, state.pages.length)}
        onOpen={onPage}
        findings={findings}
        worst={worst}
        chosen={chosen}
        onChoose={onChoose}
      />
    </div>
  );
}

/** What a step found on one page or on two that face each other. */
function useFindingsOn(sessionId: string, stepRunId: string, [one = 1, other]: readonly number[]) {
  const options = { isWhole: true, isAsked: stepRunId !== '' };
  const here = useFindings(sessionId, { onPage: one, stepRunId }, options).items;
  const isAsked = options.isAsked && other !== undefined;
  const there = useFindings(sessionId, { onPage: other ?? one, stepRunId }, { ...options, isAsked }).items;
  // One that is about both pages is in both lists.
  return useMemo(
    () => [...new Map([...here, ...there].map((finding) => [finding.id, finding])).values()],
    [here, there],
  );
}

/** Two versions, of which both can be chosen where there are more. */
function BothVersions({
  session,
  versions,
  page,
  onPage,
}: VersionProps & { versions: ReturnType<typeof useVersions> }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState({ before: 'original', after: 'production' });
  const before = useVersion(session, chosen.before, page);
  const after = useVersion(session, chosen.after, page);
  const nameOf = (wanted: FileVersion) => versions.find(({ version }) => version === wanted)?.label ?? '';
  const choice = (side: keyof typeof chosen) => (
    <NativeSelect
      size="xs"
      aria-label={t(`compare.choose.${side}`)}
      value={chosen[side]}
      onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [side]: value })}
      data={versions.map(({ version, label }) => ({ value: version, label }))}
    />
  );
  return (
    <>
      {versions.length > 2 && (
        <div className={classes.compared}>
          {choice('before')}
          <IconArrowRight size={16} aria-hidden />
          {choice('after')}
        </div>
      )}
      {before.pages.length === 0 ? (
        <NoPages {...before} />
      ) : after.pages.length === 0 ? (
        <NoPages {...after} />
      ) : (
        <Suspense>
          <CompareViewer
            before={{ ...before, name: nameOf(chosen.before) }}
            after={{ ...after, name: nameOf(chosen.after) }}
            current={page}
            onOpen={onPage}
          />
        </Suspense>
      )}
    </>
  );
}

export function NoPages({ isWaiting, isUnreadable, error }: Omit<ReturnType<typeof useVersion>, 'pages' | 'source'>) {
  const { t } = useTranslation();
  useEffect(dropFirstPage, []);
  return (
    <div className={classes.noPages} role="status">
      {isWaiting ? <Loader aria-hidden /> : <IconFileOff size={32} stroke={1.5} aria-hidden />}
      <Text>{isWaiting ? t('page.notReady') : isUnreadable ? t('session.noPages') : failureText(error, t)}</Text>
    </div>
  );
}
