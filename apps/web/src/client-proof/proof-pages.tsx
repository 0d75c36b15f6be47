import { Loader, SegmentedControl, Text } from '@mantine/core';
import type { ClientFinding, Severity, ShownProof } from '@pdf2press/contract';
import { severities } from '@pdf2press/contract';
import { IconFileOff } from '@tabler/icons-react';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import type { ViewerNotes } from '../viewer/note-marks.tsx';
import { PageViewer } from '../viewer/page-viewer.tsx';
import classes from './client-proof.module.css';
import { type ClientVersion, type ProofLink, useClientPages } from './use-client-proof.ts';

const CompareViewer = lazy(async () => ({ default: (await import('../viewer/compare-viewer.tsx')).CompareViewer }));

/** The file to be printed, the file as it came, or both. */
export type ProofView = ClientVersion | 'compare';

const words = {
  production: 'clientProof.view.production',
  original: 'clientProof.view.original',
  compare: 'compare.compare',
} as const satisfies Record<ProofView, string>;

interface Props {
  link: ProofLink;
  proof: ShownProof;
  view: ProofView;
  onView: (view: ProofView) => void;
  page: number;
  onPage: (page: number) => void;
  findings: readonly ClientFinding[];
  chosen: { finding: ClientFinding; times: number } | null;
  onChoose: (finding: ClientFinding) => void;
  notes: ViewerNotes | undefined;
}

export function ProofPages({ view, onView, ...rest }: Props) {
  const { t } = useTranslation();
  const shown = rest.proof.shows.original ? view : 'production';
  return (
    <>
      {rest.proof.shows.original && (
        <SegmentedControl
          className={classes.versions}
          size="sm"
          aria-label={t('clientProof.view')}
          value={shown}
          onChange={(value) => onView(value as ProofView)}
          data={Object.entries(words).map(([value, word]) => ({ value, label: t(word) }))}
        />
      )}
      {shown === 'compare' ? <Both {...rest} /> : <One version={shown} {...rest} />}
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
  chosen,
  onChoose,
  notes,
}: OneProps & { version: ClientVersion }) {
  const state = useClientPages(link, version, page);
  // Findings are in the coordinates of the file that goes to print.
  const here = version === 'production' ? findings : none;
  const worst = useMemo(() => worstOf(here), [here]);
  if (state.pages.length === 0) return <NoPages {...state} />;
  return (
    <PageViewer
      source={state.source}
      pages={state.pages}
      current={Math.min(page, state.pages.length)}
      onOpen={onPage}
      findings={here}
      worst={worst}
      chosen={chosen}
      onChoose={onChoose}
      hasBoxes={proof.shows.boxes}
      hasInks={proof.shows.separations}
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

function Both({ link, page, onPage }: OneProps) {
  const { t } = useTranslation();
  const original = useClientPages(link, 'original', page);
  const production = useClientPages(link, 'production', page);
  if (original.pages.length === 0) return <NoPages {...original} />;
  if (production.pages.length === 0) return <NoPages {...production} />;
  return (
    <Suspense>
      <CompareViewer
        before={{ ...original, name: t(words.original) }}
        after={{ ...production, name: t(words.production) }}
        current={page}
        onOpen={onPage}
      />
    </Suspense>
  );
}

function NoPages({ isWaiting, error }: Pick<ReturnType<typeof useClientPages>, 'isWaiting' | 'error'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="status">
      {isWaiting ? <Loader aria-hidden /> : <IconFileOff size={32} stroke={1.5} aria-hidden />}
      <Text>{isWaiting ? t('clientProof.drawing') : failureText(error, t)}</Text>
    </div>
  );
}
