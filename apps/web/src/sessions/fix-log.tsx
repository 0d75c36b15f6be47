import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core';
import type { FixOutcome, Session, SessionFix } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import {
  IconChevronLeft,
  IconChevronRight,
  IconCircleCheck,
  IconCircleDashed,
  IconPlayerSkipForward,
  IconShieldCheck,
  IconXboxX,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import { formatNumber } from '../language/formats.ts';
import classes from './fix-log.module.css';
import { type Look, StatusIcon } from './status.tsx';

const looks: Record<FixOutcome, Look> = {
  Applied: { tone: 'success', icon: IconCircleCheck },
  NothingToDo: { tone: 'neutral', icon: IconCircleDashed },
  Skipped: { tone: 'neutral', icon: IconPlayerSkipForward },
  Failed: { tone: 'error', icon: IconXboxX },
};

const useFixes = (session: Session, enabled = true) =>
  useCall(sessionRoutes.fixes, { params: { id: session.id } }, { enabled });

/** The log of the fix steps as sentences; a sentence about a page links to it. */
export function FixLog({ session, onPage }: { session: Session; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const { data, error } = useFixes(session);
  if (error) return <Text c="var(--p2p-error)">{failureText(error, t)}</Text>;
  return data?.map((fix) => <OneFix key={fix.stepRunId} fix={fix} onPage={onPage} />);
}

/** Pages of the original that fix steps changed; null while loading. */
export function useChangedPages(session: Session, isAsked: boolean): number[] | null {
  const { data, error } = useFixes(session, isAsked);
  if (!data) return error ? [] : null;
  const pages = data
    .filter(({ isChanged }) => isChanged)
    .flatMap(({ actions }) => actions.flatMap(({ changes }) => changes.flatMap(({ page }) => page ?? [])));
  return [...new Set(pages)].sort((a, b) => a - b);
}

interface ChangedPagesProps {
  pages: readonly number[];
  current: number;
  onPage: (page: number) => void;
}

/** Navigation between changed pages. */
export function ChangedPages({ pages, current, onPage }: ChangedPagesProps) {
  const { t } = useTranslation();
  const at = pages.indexOf(current);
  const previous = pages.findLast((page) => page < current);
  const next = pages.find((page) => page > current);
  const step = (to: number | undefined, label: string, icon: ReactNode) => (
    <ActionIcon
      variant="default"
      aria-label={label}
      aria-disabled={to === undefined}
      {...(to === undefined && { 'data-disabled': true })}
      onClick={() => to !== undefined && onPage(to)}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <Group gap="xs" role="group" aria-label={t('fixLog.changedPages')}>
      {step(previous, t('fixLog.previousPage'), <IconChevronLeft size={16} aria-hidden />)}
      {step(next, t('fixLog.nextPage'), <IconChevronRight size={16} aria-hidden />)}
      <Text size="sm" role="status">
        {at >= 0
          ? t('fixLog.changedPage', { at: at + 1, count: pages.length })
          : `${t('fixLog.changedPages')}: ${pages.length}`}
      </Text>
    </Group>
  );
}

type Action = SessionFix['actions'][number];

function OneFix({ fix, onPage }: { fix: SessionFix; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const isFailed = fix.result === 'Error';
  return (
    <section className={classes.fix} aria-label={t('fixLog.title')} data-failed={isFailed || undefined}>
      {isFailed && (
        <Alert color="error" variant="light" p="xs" icon={<IconXboxX size={18} aria-hidden />}>
          {t('fixLog.failed')}
        </Alert>
      )}
      {!fix.isChanged && !isFailed && <Text c="dimmed">{t('fixLog.unchanged')}</Text>}
      {fix.actions.length === 0 && <Text c="dimmed">{t('fixLog.noActions')}</Text>}
      <Sentences list={fix.warnings} />
      <ol>
        {fix.actions.map((action) => (
          <OneAction key={action.index} action={action} isKept={!isFailed} onPage={onPage} />
        ))}
      </ol>
    </section>
  );
}

function OneAction({ action, isKept, onPage }: { action: Action; isKept: boolean; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const { label, outcome, reason, warnings, changes, proof, unlisted } = action;
  const count = changes.reduce((sum, change) => sum + change.count, unlisted);
  return (
    <li className={classes.action}>
      <p className={classes.head}>
        <StatusIcon look={looks[outcome]} size={18} />
        <b>{label}</b>
        <small>
          {t(`fixOutcome.${outcome}`)}
          {count > 0 && ` · ${t('fixLog.changes', { count, shown: formatNumber(count) })}`}
        </small>
      </p>
      {reason && <p data-failed={outcome === 'Failed' || undefined}>{reason}</p>}
      <Sentences list={warnings} />
      {/* After a failure no change was kept, so none is listed. */}
      {isKept && changes.length > 0 && <Changes changes={changes} onPage={onPage} />}
      {isKept && unlisted > 0 && <small>{t('fixLog.more', { count: unlisted, shown: formatNumber(unlisted) })}</small>}
      {isKept && proof && (
        <small className={classes.proof}>
          <IconShieldCheck size={14} aria-hidden /> {proof}
        </small>
      )}
    </li>
  );
}

function Changes({ changes, onPage }: { changes: Action['changes']; onPage: (page: number) => void }) {
  return (
    <Portions list={changes}>
      {({ page, sentence, thumbnail }, at) => (
        <li key={at}>
          {thumbnail !== undefined && <img src={thumbnail} alt="" className={classes.gone} />}
          {page === null ? (
            sentence
          ) : (
            <button type="button" onClick={() => onPage(page)}>
              {sentence}
            </button>
          )}
        </li>
      )}
    </Portions>
  );
}

const Sentences = ({ list }: { list: readonly string[] }) =>
  list.length > 0 && (
    <Portions list={list} className={classes.warnings}>
      {(sentence) => <li key={sentence}>{sentence}</li>}
    </Portions>
  );

/** Lines shown at first and added by each click; a log may have thousands. */
const [first, further] = [12, 200];

interface PortionsProps<T> {
  list: readonly T[];
  className?: string | undefined;
  children: (entry: T, at: number) => ReactNode;
}

/** A list with a "show more" button. */
function Portions<T>({ list, className, children }: PortionsProps<T>) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(first);
  // A single further line needs no more room than the button.
  const shown = list.length <= wanted + 1 ? list.length : wanted;
  return (
    <>
      <ul className={className}>{list.slice(0, shown).map(children)}</ul>
      {shown < list.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWanted(wanted + further)}>
          {t('fixLog.show', { count: Math.min(further, list.length - shown) })}
        </Button>
      )}
    </>
  );
}
