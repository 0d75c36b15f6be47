import { Button, Loader, Text } from '@mantine/core';
import { IconCloudOff, IconLinkOff } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { CallError, failureText } from '../client/call-error.ts';
import { dropFirstPage } from '../client/first-page.ts';
import { hearKeys } from '../frame/shortcuts.ts';
import { useTitle } from '../frame/use-title.ts';
import classes from './client-proof.module.css';
import { Panel } from './panel.tsx';
import { ProofPage } from './proof-page.tsx';
import { useClientProof } from './use-client-proof.ts';
import { useReaderLanguage } from './use-reader-language.ts';

/** Most links lead to the pages. */
const GuardedProof = lazy(async () => ({ default: (await import('./states-of-link.ts')).GuardedProof }));
const UsedProof = lazy(async () => ({ default: (await import('./states-of-link.ts')).UsedProof }));
const Unavailable = lazy(async () => ({ default: (await import('./states-of-link.ts')).Unavailable }));

/** A proof, for whoever has the link: no account, and of what is read nothing is kept in the browser. */
export function ClientProofScreen() {
  const { sessionId = '', proofStepId = '' } = useParams();
  const link = useMemo(() => ({ sessionId, proofStepId }), [sessionId, proofStepId]);
  const query = useClientProof(link);
  const proof = query.data;
  // Kept above the proof, which a corrected file replaces while its sender still reads the thanks.
  const [isSent, setSent] = useState(false);
  useReaderLanguage(proof && 'reader' in proof ? proof.reader.locale : null);
  useEffect(() => {
    document.addEventListener('keydown', hearKeys);
    return () => {
      document.removeEventListener('keydown', hearKeys);
      dropFirstPage();
    };
  }, []);
  useTitle(proof && 'fileName' in proof ? proof.fileName : '', proof?.house.title);
  const isGone = query.error instanceof CallError && query.error.status === 404;
  if (!proof || isGone) return <NoProof error={query.error} onRetry={() => void query.refetch()} />;
  if (proof.state === 'guarded' || proof.state === 'used' || 'sentence' in proof)
    return (
      <Suspense fallback={<NoProof error={null} onRetry={() => undefined} />}>
        {proof.state === 'guarded' ? (
          <GuardedProof link={link} proof={proof} />
        ) : proof.state === 'used' ? (
          <UsedProof proof={proof} />
        ) : (
          <Unavailable proof={proof} isSent={isSent} />
        )}
      </Suspense>
    );
  const sent = { isSent, onSent: () => setSent(true) };
  return <ProofPage link={link} proof={proof} isOffline={query.error !== null} {...sent} />;
}

/** Nothing to show yet, or at all. */
function NoProof({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation();
  if (!error)
    return (
      <div className={classes.proof}>
        <div className={classes.notice} role="status" data-below>
          <Loader aria-hidden />
          <Text>{t('clientProof.loading')}</Text>
        </div>
      </div>
    );
  const isUnknown = error instanceof CallError && (error.status === 404 || error.status === 400);
  return (
    <div className={classes.proof}>
      {isUnknown ? (
        <Panel icon={IconLinkOff} title={t('clientProof.unknown')} text={t('clientProof.unknownText')} />
      ) : (
        <Panel icon={IconCloudOff} title={t('clientProof.failed')} text={failureText(error, t)}>
          <Button onClick={onRetry}>{t('common.retry')}</Button>
        </Panel>
      )}
    </div>
  );
}
