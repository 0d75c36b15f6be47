import { Loader } from '@mantine/core';
import {
  type FindingCounts,
  pageRanges,
  type Session,
  type SessionFinding,
  type SessionPage,
} from '@pdf2press/contract';
import { IconTool } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { memo, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { RowsInSight } from '../frame/rows-in-sight.tsx';
import { formatNumber } from '../language/formats.ts';
import type { PageSource } from '../viewer/page-source.ts';
import classes from './finding-group.module.css';
import { FindingPicture } from './finding-picture.tsx';
import shared from './session.module.css';
import { sessionSource } from './session-source.ts';
import { versionOf } from './step-files.ts';
import { type FindingList, useFindings } from './use-findings.ts';
import { sessionPagesQuery } from './use-session.ts';

export type CountedRule = FindingCounts['rules'][number];

export interface FindingRowsProps {
  session: Session;
  rule: CountedRule;
  /** Findings that are listed, those of this rule among them as far as they are here. */
  list: FindingList;
  /** Only those on this page. */
  onPage: number | null;
  chosen: SessionFinding | null;
  onChoose: (finding: SessionFinding) => void;
  /** Opens the fix that clears a finding; undefined where nothing is fixed from. */
  onFix?: ((finding: SessionFinding) => void) | undefined;
}

/** Whether a finding is one of a rule's row. */
export const isOfRule = (rule: CountedRule, finding: SessionFinding): boolean =>
  finding.ruleKey === rule.rule && finding.severity === rule.severity && finding.state === rule.state;
const isOn = (page: number | null, finding: SessionFinding): boolean =>
  page === null || finding.page === page || finding.pages?.includes(page) === true;

/** A longer list has only the rows in sight. */
const mostWhole = 40;
/** Of a finding of three lines with its button, CSS pixels; the true height is measured. */
const usualHeight = 132;

/** The findings of a rule. Of many, only those in sight are in the document. */
export function FindingRows({ session, rule, list, onPage, chosen, onChoose, onFix }: FindingRowsProps) {
  // The list of all has them, or will have them after many others.
  const own = useFindings(
    session.id,
    {
      rule: [rule.rule],
      severity: [rule.severity],
      state: [rule.state ?? 'left'],
      ...(onPage !== null && { onPage }),
    },
    { isAsked: list.hasMore },
  );
  const items = list.hasMore
    ? own.items
    : list.items.filter((finding) => isOfRule(rule, finding) && isOn(onPage, finding));
  const isChosenAbsent =
    chosen !== null && own.hasMore && isOfRule(rule, chosen) && !items.some(({ id }) => id === chosen.id);
  useEffect(() => {
    if (isChosenAbsent) void own.loadAll();
  }, [isChosenAbsent]);
  const rasters = useRasters(session, items);
  const { t } = useTranslation();
  const row = (finding: SessionFinding, isInSight: boolean) => (
    <Finding
      t={t}
      finding={finding}
      rasters={rasters.get(finding.stepRunId)}
      isInSight={isInSight}
      isOnly={rule.findings === 1}
      isOnePage={session.pageCount === 1}
      isChosen={finding.id === chosen?.id}
      onChoose={onChoose}
      onFix={finding.fixableBy && rule.state !== 'fixed' ? onFix : undefined}
    />
  );
  const hasMore = list.hasMore && own.hasMore;
  if (items.length > mostWhole || hasMore) {
    return (
      <RowsInSight
        className={classes.findings}
        count={items.length + (hasMore ? 1 : 0)}
        isOpenEnded={hasMore}
        usualHeight={usualHeight}
        chosen={items.findIndex(({ id }) => id === chosen?.id)}
        row={(index) => {
          const finding = items[index];
          return finding ? row(finding, true) : <Loader size="sm" aria-hidden />;
        }}
        onSight={(_, last) => {
          if (hasMore && last === items.length) own.loadMore();
        }}
      />
    );
  }
  return (
    <ul className={classes.findings}>
      {items.map((finding) => (
        <li key={finding.id}>{row(finding, false)}</li>
      ))}
    </ul>
  );
}

/** The rasters of a version of the file, and its pages. */
interface Rasters {
  pages: readonly SessionPage[];
  source: PageSource;
}

/** For each step that found something, the pages of the file that it read: those that the viewer beside the list shows, too. */
function useRasters(session: Session, findings: readonly SessionFinding[]): ReadonlyMap<string, Rasters> {
  const steps = [...new Set(findings.filter(({ box }) => box !== undefined).map(({ stepRunId }) => stepRunId))];
  const key = steps.join(' ');
  const versions = useMemo(
    () => steps.map((stepRunId) => ({ stepRunId, version: versionOf(session, { stepRunId }) })),
    [session, key],
  );
  const answers = useQueries({
    queries: versions.map(({ version }) => sessionPagesQuery(session.id, version, [1])),
    combine: (all) => all.map(({ data }) => data),
  });
  return useMemo(
    () =>
      new Map(
        versions.flatMap(({ stepRunId, version }, at) => {
          const data = answers[at];
          return data
            ? [[stepRunId, { pages: data.pages, source: sessionSource(session.id, version, data.sha256) }] as const]
            : [];
        }),
      ),
    [versions, answers, session.id],
  );
}

interface FindingProps {
  /** Given, because a row's own hook for it takes as long as the rest of the row. */
  t: TFunction;
  finding: SessionFinding;
  rasters: Rasters | undefined;
  /** Of a list that has only the rows in sight. */
  isInSight: boolean;
  /** The rule's only finding: its head says where. */
  isOnly: boolean;
  /** Of the file, which leaves no question where. */
  isOnePage: boolean;
  isChosen: boolean;
  onChoose: FindingRowsProps['onChoose'];
  onFix: FindingRowsProps['onFix'];
}

/** Drawn again only when its own properties change, because the list changes with every step of the scrolling. */
const Finding = memo(function Finding({
  t,
  finding,
  rasters,
  isInSight,
  isOnly,
  isOnePage,
  isChosen,
  onChoose,
  onFix,
}: FindingProps) {
  const item = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const where =
    finding.pages && finding.pages.length > 1
      ? t('session.onPages', { pages: pageRanges(finding.pages) })
      : finding.page === null
        ? t('session.wholeFile')
        : !isOnePage && t('session.onPage', { page: finding.pageLabel || finding.page });
  const place = [where, finding.count > 1 && `×${formatNumber(finding.count)}`].filter(Boolean).join(' · ');
  return (
    <>
      <button
        ref={item}
        type="button"
        className={shared.finding}
        aria-pressed={isChosen}
        onClick={() => onChoose(finding)}
      >
        <span>
          {finding.message || finding.operatorMessage}
          {finding.message && finding.operatorMessage !== finding.message && <small>{finding.operatorMessage}</small>}
          {!isOnly && place !== '' && <small>{place}</small>}
        </span>
        {rasters && <FindingPicture finding={finding} isInSight={isInSight} {...rasters} />}
      </button>
      {onFix && (
        <button
          type="button"
          className={classes.fix}
          aria-label={t('fixThis.of', { finding: finding.message || finding.operatorMessage })}
          onClick={() => onFix(finding)}
        >
          <IconTool size={13} aria-hidden />
          {t('fixThis.title')}
        </button>
      )}
    </>
  );
});
