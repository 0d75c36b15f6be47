import { Chip, Group, Loader, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { isFinal, type Session, type SessionFinding, type Severity } from '@pdf2press/contract';
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import type { FileVersion } from '../viewer/page-source.ts';
import { FindingPicture } from './finding-picture.tsx';
import { ReportMenu } from './report-menu.tsx';
import classes from './session.module.css';
import { StatusIcon, severityLooks } from './status.tsx';
import { versionOf } from './step-files.ts';
import { type FindingList, useFindingCounts } from './use-findings.ts';
import { useSessionPages } from './use-session.ts';

export const severities: readonly Severity[] = ['Fail', 'Warn', 'Info'];

interface Props {
  session: Session;
  /** Findings of the severities that are listed. */
  list: FindingList;
  chosen: string | null;
  onChoose: (finding: SessionFinding) => void;
  /** The severities that are listed. */
  shown: readonly Severity[];
  onShown: (severities: readonly Severity[]) => void;
}

export function FindingsPanel({ session, list, chosen, onChoose, shown, onShown }: Props) {
  const { t } = useTranslation();
  const counts = useFindingCounts(session.id);
  const pictures = usePictures(session, list.items);
  if (!counts) return null;
  if (counts.checks.length === 0) return <Nothing session={session} />;
  const countOf = (severity: Severity) => counts.severities[severity];
  const checks = [...new Set(list.items.map((finding) => finding.checkKey))];
  return (
    <>
      <Group justify="space-between" align="start" mb="sm" gap="xs">
        <Chip.Group
          multiple
          value={[...shown]}
          onChange={(value) => onShown(severities.filter((severity) => value.includes(severity)))}
        >
          <Group gap={6}>
            {severities.map((severity) => (
              <Chip
                key={severity}
                color={severityLooks[severity].tone}
                value={severity}
                size="xs"
                variant="light"
                disabled={countOf(severity) === 0}
              >
                {t(`severity.count.${severity}`, { count: countOf(severity) })}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <ReportMenu session={session} />
      </Group>
      {checks.map((check) => (
        <section key={check} className={classes.findingGroup} aria-label={t(`check.${check}`, { defaultValue: check })}>
          <Text fw={600} size="sm" c="dimmed">
            {t(`check.${check}`, { defaultValue: check })}
          </Text>
          <ul>
            {list.items
              .filter((finding) => finding.checkKey === check)
              .map((finding) => (
                <Finding key={finding.id} finding={finding} isChosen={finding.id === chosen} onChoose={onChoose}>
                  {pictures(finding)}
                </Finding>
              ))}
          </ul>
        </section>
      ))}
      {list.hasMore && <MoreBelow onSeen={list.loadMore} />}
    </>
  );
}

/** Stands below the list while there is more, and loads it when it comes into sight. */
function MoreBelow({ onSeen }: { onSeen: () => void }) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const isSeen = entry?.isIntersecting === true;
  useEffect(() => {
    if (isSeen) onSeen();
  });
  return (
    <div ref={ref} className={classes.nothing}>
      <Loader size="sm" aria-hidden />
    </div>
  );
}

/** Pictures of places, from the rasters that the viewer beside the list has asked for. */
function usePictures(session: Session, findings: readonly SessionFinding[]): (finding: SessionFinding) => ReactNode {
  const versions = new Map(findings.map((finding) => [finding.id, versionOf(session, finding)]));
  const hasPlaces = (version: FileVersion) => findings.some(({ id, box }) => box && versions.get(id) === version);
  const drawn = {
    original: useDrawn(session.id, 'original', hasPlaces('original')),
    production: useDrawn(session.id, 'production', hasPlaces('production')),
  };
  return (finding) => <FindingPicture finding={finding} {...drawn[versions.get(finding.id) ?? 'original']} />;
}

function useDrawn(sessionId: string, version: FileVersion, isAsked: boolean) {
  const { data } = useSessionPages(sessionId, version, isAsked, 1);
  const sha256 = data?.sha256 ?? '';
  const source = useMemo(() => ({ sessionId, version, sha256 }), [sessionId, version, sha256]);
  return { pages: data?.pages ?? [], source };
}

function Finding({
  finding,
  isChosen,
  onChoose,
  children,
}: {
  finding: SessionFinding;
  isChosen: boolean;
  onChoose: Props['onChoose'];
  /** A picture of its place. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const item = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const where =
    finding.pages && finding.pages.length > 1
      ? t('session.onPages', { pages: pageList(finding.pages) })
      : finding.page === null
        ? t('session.wholeFile')
        : t('session.onPage', { page: finding.pageLabel || finding.page });
  return (
    <li>
      <button
        ref={item}
        type="button"
        className={classes.finding}
        aria-pressed={isChosen}
        onClick={() => onChoose(finding)}
      >
        <StatusIcon look={severityLooks[finding.severity]} size={18} />
        <span>
          <span className="visually-hidden">{t(`severity.${finding.severity}`)}: </span>
          {finding.operatorMessage || finding.message}
          <small>
            {where}
            {finding.count > 1 && ` · ×${formatNumber(finding.count)}`}
          </small>
        </span>
        {children}
      </button>
    </li>
  );
}

/** `1–4, 7`. */
function pageList(pages: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else runs.push([page, page]);
  }
  const text = runs.slice(0, 6).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  return text.join(', ') + (runs.length > 6 ? ' …' : '');
}

function Nothing({ session }: { session: Session }) {
  const { t } = useTranslation();
  const isChecked = session.steps.some((step) => step.checks.length > 0);
  const [Icon, text] = isChecked
    ? ([IconCircleCheck, 'session.noFindings'] as const)
    : ([IconHourglass, isFinal(session.status) ? 'session.notChecked' : 'session.checking'] as const);
  return (
    <div className={classes.nothing}>
      <Icon size={32} stroke={1.5} aria-hidden />
      <Text>{t(text)}</Text>
      <ReportMenu session={session} />
    </div>
  );
}
