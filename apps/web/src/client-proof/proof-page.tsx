import { Alert, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ClientFinding, ShownProof } from '@pdf2press/contract';
import { IconAlertCircle, IconCircleCheck, IconCloudOff, IconDownload, IconMessageX } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { dropFirstPage } from '../client/first-page.ts';
import { placesOf } from '../viewer/page-overlay.tsx';
import { usePagesSeen } from '../viewer/reading.tsx';
import classes from './client-proof.module.css';
import { type Asked, doneTold } from './decision.ts';
import { DecisionBar } from './decision-bar.tsx';
import { HouseHead } from './house-head.tsx';
import { ProofDownload } from './proof-download.tsx';
import { ProofPages, type ProofView } from './proof-pages.tsx';
import { type PanelTab, ProofPanel, type SheetStop, tabId } from './proof-panel.tsx';
import { checkedVersion, type ProofLink, useCertificate, useClientFindings, useLooks } from './use-client-proof.ts';
import { useNotes } from './use-notes.ts';
import { usePageAnswers } from './use-page-answers.ts';

/** Loaded where each page is decided on. */
const PageAnswer = lazy(async () => ({ default: (await import('./page-answers.tsx')).PageAnswer }));
/** Loaded beside the page: nobody presses a key before there is one. */
const ProofKeys = lazy(async () => ({ default: (await import('./proof-keys.tsx')).ProofKeys }));
const DecisionDialogs = lazy(async () => ({ default: (await import('./decision-dialogs.tsx')).DecisionDialogs }));

interface Props {
  link: ProofLink;
  proof: ShownProof;
  /** The last answer could not be refreshed. */
  isOffline: boolean;
  /** A corrected file was sent from here. */
  isSent: boolean;
  onSent: () => void;
}

/** The proof itself: pages, what was noticed, and the decision. */
export function ProofPage({ link, proof, isOffline, isSent, onSent }: Props) {
  const { t } = useTranslation();
  const isWide = useMediaQuery('(min-width: 900px)', undefined, { getInitialValueInEffect: false });
  const [asked, setAsked] = useState<Asked>(null);
  const [page, setPage] = useState(1);
  const [view, setView] = useState<ProofView>('production');
  const [stop, setStop] = useState<SheetStop>('peek');
  const [chosen, setChosen] = useState<{ finding: ClientFinding; times: number } | null>(null);
  // Where something was corrected, as the viewer draws what it finds.
  const [place, setPlace] = useState<ClientFinding | null>(null);
  const [news, setNews] = useState<unknown>(null);
  const [tab, setTab] = useState<PanelTab | null>(null);
  const needsFindings = proof.shows.findings || proof.form?.approval.need === 'acceptance';
  const listed = useClientFindings(link, needsFindings);
  // Those that are fixed were in the version before: no page here shows them, and nobody accepts them.
  const findings = useMemo(() => listed.filter(({ state }) => state !== 'fixed'), [listed]);
  const facing = usePagesSeen(page, proof.pageCount ?? page);
  const isOne = view === 'compare' || view === 'changes';
  // Pages are told of as those of the file that is decided on.
  const isLooking = view !== 'pages' && (stop !== 'full' || isWide);
  const seen = useLooks(link, isLooking ? (isOne ? [page] : facing) : []);

  const choose = (finding: ClientFinding, corrected: ClientFinding | null = null) => {
    setPlace(corrected);
    setChosen((before) => ({ finding, times: (before?.times ?? 0) + 1 }));
    const checked = checkedVersion(proof);
    const first = finding.page ?? finding.pages[0];
    // What lies on pages that are not shown has no place on the sheets.
    if (checked !== null) {
      setView(checked);
      if (first) setPage(first);
    }
    setTab(corrected ? 'fixes' : 'findings');
    // The place on the page and the sentence are in sight together.
    if ((checked !== null && placesOf(finding).length > 0) || stop === 'peek') setStop('half');
  };
  /** The keyboard goes on from there. */
  const showFindings = () => {
    flushSync(() => setTab('findings'));
    document.getElementById(tabId('findings'))?.focus();
  };
  /** The place of a note and its words come into sight together. */
  const notes = useNotes(link, proof, isOne ? [page] : facing, (at) => {
    setTab('notes');
    setView('production');
    if (at !== null) setPage(at);
    setStop('half');
  });
  // An answer that was given stands until its reader wants to give another one.
  const [changing, setChanging] = useState<string | null>(null);
  const form = proof.mine && changing !== proof.mine.at ? null : proof.form;
  const answers = usePageAnswers(link, { form }, page);
  const ask = (next: Asked) => {
    setNews(null);
    setAsked(next);
  };
  const bar = (form || proof.canReplaceFile) && (
    <DecisionBar form={form} onAsk={ask} answers={answers} isHeld={proof.deciding !== null} />
  );
  // A dialog about an answer closes when there is nothing left to answer.
  const open = asked === 'file' || form ? asked : null;
  return (
    <div className={classes.proof}>
      <HouseHead house={proof.house}>
        <h1 className={classes.file} title={proof.fileName}>
          {proof.fileName}
          {proof.version > 1 && <small>{t('clientProof.version', { version: proof.version })}</small>}
        </h1>
        <ProofDownload link={link} proof={proof} />
        {isWide && bar}
        {isWide && (
          <span className={classes.keysPlace}>
            <Suspense>
              <ProofKeys proof={proof} view={view} onView={setView} onFindings={showFindings} />
            </Suspense>
          </span>
        )}
      </HouseHead>
      <Banner
        link={link}
        proof={proof}
        news={news}
        isSent={isSent}
        isOffline={isOffline}
        onChange={proof.form && !form ? () => setChanging(proof.mine?.at ?? null) : null}
      />
      <div className={classes.body} data-stop={isWide ? undefined : stop}>
        <section className={classes.pages} aria-label={t('viewer.pages')} onLoadCapture={dropFirstPage}>
          <ProofPages
            link={link}
            proof={proof}
            view={view}
            onView={setView}
            page={page}
            onPage={setPage}
            findings={findings}
            place={place}
            chosen={chosen}
            onChoose={(finding) => choose(finding)}
            notes={notes.viewer}
          />
          <Suspense>{answers && view !== 'pages' && <PageAnswer answers={answers} page={page} />}</Suspense>
        </section>
        <ProofPanel
          link={link}
          proof={proof}
          findings={proof.shows.findings ? listed : []}
          chosen={chosen?.finding.id ?? null}
          onChoose={(finding) => choose(finding)}
          onPlace={(corrected) => choose(corrected, corrected)}
          onPage={(next) => {
            setPage(next);
            setView('production');
            setStop('half');
          }}
          stop={isWide ? null : stop}
          onStop={setStop}
          notes={notes}
          answers={answers}
          page={page}
          tab={tab}
          onTab={setTab}
        />
      </div>
      {!isWide && bar && <div className={classes.foot}>{bar}</div>}
      <Suspense>
        {open && (
          <DecisionDialogs
            link={link}
            proof={proof}
            form={form}
            findings={findings}
            seen={seen}
            pages={answers?.answered ?? null}
            asked={open}
            onClose={() => setAsked(null)}
            onSent={onSent}
            onOutdated={(error) => {
              setAsked(null);
              setNews(error);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

interface BannerProps {
  link: ProofLink;
  proof: ShownProof;
  /** Why what was tried could not be done any more. */
  news: unknown;
  /** A corrected file was sent. */
  isSent: boolean;
  isOffline: boolean;
  /** Gives the reader's answer anew; null where it stands. */
  onChange: (() => void) | null;
}

/** What became of the proof, above its pages. */
function Banner({ link, proof, news, isSent, isOffline, onChange }: BannerProps) {
  const { t } = useTranslation();
  const done = proof.decided ?? proof.mine;
  const certificate = useCertificate(link);
  return (
    <div className={classes.banners} role="status">
      {isOffline && (
        <Alert color="warning" variant="light" icon={<IconCloudOff aria-hidden />}>
          {t('clientProof.offline')}
        </Alert>
      )}
      {news !== null && (
        <Alert color="warning" variant="light" icon={<IconAlertCircle aria-hidden />}>
          {failureText(news, t)}
        </Alert>
      )}
      {isSent && (
        <Alert color="success" variant="light" icon={<IconCircleCheck aria-hidden />}>
          {t('clientProof.sent')}
        </Alert>
      )}
      {proof.deciding && (
        <Alert color="info" variant="light" icon={<IconAlertCircle aria-hidden />}>
          {t('clientProof.deciding', { name: proof.deciding.by })}
        </Alert>
      )}
      {done && (
        <Alert
          color={done.decision === 'Approved' ? 'success' : 'warning'}
          variant="light"
          icon={done.decision === 'Approved' ? <IconCircleCheck aria-hidden /> : <IconMessageX aria-hidden />}
        >
          <strong>{doneTold(done, t)}</strong>{' '}
          {t(proof.state === 'answered' ? 'clientProof.others' : `clientProof.then.${done.decision}`)}
          {done.declinedPages.length > 0 &&
            t('clientProof.pagesDeclined', { count: done.declinedPages.length, pages: done.declinedPages.join(', ') })}
          <div>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={certificate.isPending}
              onClick={() => certificate.mutate()}
            >
              {t('clientProof.certificate')}
            </Button>
            {onChange && (
              <Button
                variant="subtle"
                size="compact-sm"
                title={t(proof.decided ? 'clientProof.changeDeclineText' : 'clientProof.changeText')}
                onClick={onChange}
              >
                {t('clientProof.change')}
              </Button>
            )}
          </div>
          {certificate.error && failureText(certificate.error, t)}
        </Alert>
      )}
    </div>
  );
}
