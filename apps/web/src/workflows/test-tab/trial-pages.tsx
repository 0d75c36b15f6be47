import { Text } from '@mantine/core';
import type { Session, TrialRow } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../client/queries.ts';
import { ChangedPages } from '../../sessions/fix-log.tsx';
import { NoPages, SessionPages, useVersion } from '../../sessions/session-pages.tsx';
import { CompareViewer } from '../../viewer/compare-viewer.tsx';
import type { FileVersion } from '../../viewer/page-source.ts';
import classes from './test-tab.module.css';

/** The file that a session left behind. */
const lastOf = ({ files }: Session): FileVersion =>
  files.some(({ kind, mediaType }) => kind === 'ProductionFile' && mediaType === 'application/pdf')
    ? 'production'
    : 'original';

/** The pages that the draft makes; beside those that were really made, where they differ. */
export function TrialPages({
  now,
  past,
  changed,
}: {
  now: Session;
  past: TrialRow['past'];
  changed: readonly number[];
}) {
  const before = useCall(sessionRoutes.get, { params: { id: past?.id ?? '' } }, { enabled: past !== null });
  const [page, setPage] = useState(changed[0] ?? 1);
  if (past && changed.length > 0 && before.data)
    return <BothTimes now={now} then={before.data} changed={changed} page={page} onPage={setPage} />;
  return (
    <div className={classes.pages}>
      <OnePages session={now} page={page} onPage={setPage} />
    </div>
  );
}

interface OneProps {
  session: Session;
  page: number;
  onPage: (page: number) => void;
}

function OnePages({ session, page, onPage }: OneProps) {
  const [view, setView] = useState<string>(lastOf(session));
  return (
    <SessionPages
      session={session}
      view={view}
      onView={setView}
      page={page}
      onPage={onPage}
      chosen={null}
      onChoose={() => undefined}
    />
  );
}

interface BothProps {
  now: Session;
  then: Session;
  changed: readonly number[];
  page: number;
  onPage: (page: number) => void;
}

function BothTimes({ now, then, changed, page, onPage }: BothProps) {
  const { t } = useTranslation();
  const before = useVersion(then, lastOf(then), page);
  const after = useVersion(now, lastOf(now), page);
  return (
    <>
      <Text size="sm">{t('test.count.pages', { count: changed.length })}</Text>
      <ChangedPages pages={changed} current={page} onPage={onPage} />
      <div className={classes.pages}>
        {before.pages.length === 0 ? (
          <NoPages {...before} />
        ) : after.pages.length === 0 ? (
          <NoPages {...after} />
        ) : (
          <CompareViewer
            before={{ ...before, name: t('compare.times.before') }}
            after={{ ...after, name: t('compare.times.after') }}
            current={page}
            onOpen={onPage}
          />
        )}
      </div>
    </>
  );
}
