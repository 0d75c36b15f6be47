import { Loader, SegmentedControl, Text, Title } from '@mantine/core';
import type { ClientFinding, Severity, ShownProof } from '@pdf2press/contract';
import { severities } from '@pdf2press/contract';
import { IconFileOff } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { dropFirstPage } from '../client/first-page.ts';
import type { ViewerNotes } from '../viewer/note-marks.tsx';
import { PageViewer } from '../viewer/page-viewer.tsx';
import { usePagesSeen } from '../viewer/reading.tsx';
import classes from './client-proof.module.css';
import { type ClientVersion, checkedVersion, type ProofLink, useClientPages } from './use-client-proof.ts';

const CompareViewer = lazy(async () => ({ default: (await import('../viewer/compare-viewer.tsx')).CompareViewer }));

/**
 * The file to be printed; the pages on its sheets, where it has such; the file as it came; both; or the file to be printed beside that
 * of the version before.
 */
export type ProofView = 'production' | 'pages' | 'original' | 'compare' | 'changes';

/** What may be shown, in the order of the switch, with what each is called. */
export function useViews({
  shows,
  previousVersion,
  sheets,
}: ShownProof): readonly { value: ProofView; label: string }[] {
  const { t } = useTranslation();
  const hasPages = sheets !== null && shows.pages;
  // What came is compared with what lies on the sheets, never with the sheets.
  const isComparable = sheets === null || hasPages;
  return [
    { value: 'production', label: t(sheets ? 'clientProof.view.sheets' : 'clientProof.view.production') },
    ...(hasPages ? [{ value: 'pages', label: t('clientProof.view.pages') } as const] : []),
    ...(shows.original
      ? ([
          { value: 'original', label: t('clientProof.view.original') },
          ...(isComparable ? ([{ value: 'compare', label: t('compare.compare') }] as const) : []),
        ] as const)
      : []),
    ...(previousVersion === null
      ? []
      : [{ value: 'changes', label: t('clientProof.view.changes', { version: previousVersion }) } as const]),
  ];
}

interface Props {
  link: ProofLink;
  proof: ShownProof;
  view: ProofView;
  onView: (view: ProofView) => void;
  page: number;
  onPage: (page: number) => void;
  findings: readonly ClientFinding[];
  /** Where something was corrected, drawn beside them; null = nothing is chosen. */
  place: ClientFinding | null;
  chosen: { finding: ClientFinding; times: number } | null;
  onChoose: (finding: ClientFinding) => void;
  notes: ViewerNotes | undefined;
}

export function ProofPages({ view, onView, ...rest }: Props) {
  const { t } = useTranslation();
  const views = useViews(rest.proof);
  const shown = views.find(({ value }) => value === view)?.value ?? 'production';
  return (
    <>
      {views.length > 1 && (
        <SegmentedControl
          className={classes.versions}
          size="sm"
          aria-label={t('clientProof.view')}
          value={shown}
          onChange={(value) => onView(value as ProofView)}
          data={[...views]}
        />
      )}
      {shown === 'compare' || shown === 'changes' ? (
        <Both key={shown} before={shown === 'compare' ? 'original' : 'previous'} {...rest} />
      ) : (
        <One version={shown} {...rest} />
      )}
    </>
  );
}

type OneProps = Omit<Props, 'view' | 'onView'>;
const none: readonly ClientFinding[] = [];

function One({
  link,
  proof,
  version,
  page,
  onPage,
  findings,
  place,
  chosen,
  onChoose,
  notes,
}: OneProps & { version: ClientVersion }) {
  const state = useClientPages(link, version, usePagesSeen(page, proof.pageCount ?? page));
  const isChecked = version === checkedVersion(proof);
  const here = isChecked ? findings : none;
  const worst = useMemo(() => worstOf(here), [here]);
  if (state.pages.length === 0) return <NoPages {...state} />;
  return (
    <PageViewer
      source={state.source}
      pages={state.pages}
      binding={state.binding}
      current={Math.min(page, state.pages.length)}
      onOpen={onPage}
      findings={place && isChecked ? [...here, place] : here}
      worst={worst}
      chosen={chosen}
      onChoose={onChoose}
      hasBoxes={proof.shows.boxes}
      hasInks={proof.shows.separations}
      safety={proof.shows.safetyMargin}
      inkLimit={proof.shows.inkLimit}
      notes={version === 'production' ? notes : undefined}
    />
  );
}

/** The worst finding of each page that has any. */
function worstOf(findings: readonly ClientFinding[]): ReadonlyMap<number, Severity> {
  const found = new Map<number, Severity>();
  for (const { severity, page, pages } of findings)
    for (const at of page === null ? pages : [page, ...pages]) {
      const before = found.get(at);
      if (!before || severities.indexOf(severity) > severities.indexOf(before)) found.set(at, severity);
    }
  return found;
}

function Both({ link, proof, page, onPage, before }: OneProps & { before: 'original' | 'previous' }) {
  const { t } = useTranslation();
  const earlier = useClientPages(link, before, [page]);
  // What came has pages; the sheets of two versions are compared as such.
  const after = before === 'original' && proof.sheets ? 'pages' : 'production';
  const production = useClientPages(link, after, [page]);
  const versionNo = (version: number) => t('clientProof.version', { version });
  const names =
    before === 'original'
      ? [t('clientProof.view.original'), t(`clientProof.view.${after}`)]
      : [versionNo(proof.previousVersion ?? 0), versionNo(proof.version)];
  if (earlier.pages.length === 0) return <NoPages {...earlier} />;
  if (production.pages.length === 0) return <NoPages {...production} />;
  return (
    <Suspense>
      <CompareViewer
        before={{ ...earlier, name: names[0] ?? '' }}
        after={{ ...production, name: names[1] ?? '' }}
        current={page}
        onOpen={onPage}
      />
    </Suspense>
  );
}

/** The pages cannot be seen yet, or at all. They are asked for again until they are there. */
function NoPages({
  isWaiting,
  isUnready,
  error,
}: Omit<ReturnType<typeof useClientPages>, 'pages' | 'binding' | 'source'>) {
  const { t } = useTranslation();
  useEffect(() => {
    if (!isWaiting || isUnready) dropFirstPage();
  }, [isWaiting, isUnready]);
  return (
    <div className={classes.notice} role="status">
      {isWaiting ? <Loader aria-hidden /> : <IconFileOff size={32} stroke={1.5} aria-hidden />}
      {isUnready && (
        <Title order={2} size="h3">
          {t('clientProof.notReady')}
        </Title>
      )}
      {!isWaiting && <Text>{failureText(error, t)}</Text>}
      {isUnready && <Text maw={460}>{t('clientProof.drawing')}</Text>}
    </div>
  );
}
