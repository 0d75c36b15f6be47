import { Alert, Button, Group, Loader, Select, Stack, Switch, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { isFinal, type Session, type TrialKind } from '@pdf2press/contract';
import { sessionRoutes, trialRoutes } from '@pdf2press/contract/calls';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { sendForm } from '../client/call.ts';
import { CallError, failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import { useLiveAnswers } from '../client/use-live-answers.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { DropFile } from './drop-file.tsx';
import { TrialResult } from './trial-result.tsx';

const ofSession = [sessionRoutes.get];
const recentSessions = 25;

type Source = { file: File } | { sessionId: string; fileName?: string };

interface Props {
  kind: TrialKind;
  settings: Record<string, unknown>;
  /** The label of a setting by its path. */
  nameOf: (path: string) => string | undefined;
  /** A session whose file is tried at once. */
  sample?: { sessionId: string; fileName: string };
  /** False while the settings are not what is to be tried on `sample`. */
  isReady?: boolean;
}

/** Pause after the last change before the new settings are tried automatically, milliseconds. */
const pauseMilliseconds = 1200;

/** Runs an unsaved profile on a file on the server, again after each change, and shows the result. */
export function TryOnFile({ kind, settings, nameOf, sample, isReady = true }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const [source, setSource] = useState<Source | null>(sample ?? null);
  const [isAsked, setAsked] = useState(false);
  const [follows, setFollows] = useState(true);
  const draft = JSON.stringify(settings);
  const trial = useTrial(kind);
  const { mutate } = trial.start;
  const [settled] = useDebouncedValue(draft, pauseMilliseconds);
  const { tried, isUnderway } = trial;
  useEffect(() => {
    if (follows && source && tried && !isUnderway && settled === draft && tried.draft !== draft)
      mutate({ source, draft });
  }, [follows, source, tried, isUnderway, settled, draft, mutate]);
  const isBegun = useRef(false);
  useEffect(() => {
    if (!sample || !isReady || isBegun.current) return;
    isBegun.current = true;
    mutate({ source: sample, draft });
  }, [sample, isReady, draft, mutate]);
  if (!may(`${kind}.manage`)) return null;
  const run = () => {
    setAsked(true);
    if (source) mutate({ source, draft });
  };
  const choose = (chosen: Source | null) => {
    setSource(chosen);
    // The previous result belongs to another file.
    trial.forget();
  };
  return (
    <SectionCard title={t('trial.title')} text={t('trial.text')}>
      <Stack>
        <SourceFields source={source} isTried={tried !== null} onChange={choose} />
        {isAsked && !source && (
          <Text size="sm" c="var(--p2p-error)" role="alert">
            {t('trial.needsFile')}
          </Text>
        )}
        <Group>
          <Button variant="light" leftSection={<IconPlayerPlay size={16} />} loading={isUnderway} onClick={run}>
            {tried ? t('trial.again') : t('trial.run')}
          </Button>
          {tried && (
            <Switch
              label={t('trial.follow')}
              checked={follows}
              onChange={(event) => setFollows(event.currentTarget.checked)}
            />
          )}
        </Group>
        {trial.start.error && <Refusal error={trial.start.error} nameOf={nameOf} />}
        <Outcome trial={trial} kind={kind} isOld={tried !== null && tried.draft !== draft && !isUnderway} />
      </Stack>
    </SectionCard>
  );
}

interface Tried {
  id: string;
  draft: string;
  source: Source;
}
interface Start {
  source: Source;
  draft: string;
}

/** Runs a trial; the previous result is kept until the new one arrives. */
function useTrial(kind: TrialKind) {
  const [tried, setTried] = useState<Tried | null>(null);
  const [done, setDone] = useState<Session | null>(null);
  const start = useMutation({
    mutationFn: ({ source, draft }: Start) => {
      const form = new FormData();
      form.append('kind', kind);
      form.append('settings', draft);
      // The server still has the file of the last trial.
      if (tried?.source === source) form.append('sessionId', tried.id);
      else if ('file' in source) form.append('file', source.file);
      else form.append('sessionId', source.sessionId);
      return sendForm(trialRoutes.create, form);
    },
    // A refused draft is not sent again before it changes.
    onSettled: (made, _, { source, draft }) =>
      setTried((before) => (made ? { id: made.id, source, draft } : before && { ...before, draft })),
  });
  const session = useCall(sessionRoutes.get, { params: { id: tried?.id ?? '' } }, { enabled: tried !== null });
  const current = session.data?.id === tried?.id ? session.data : undefined;
  useLiveAnswers(ofSession, {
    query: { sessionId: tried?.id ?? '' },
    isOn: tried !== null && !(current && isEnd(current)),
  });
  useEffect(() => {
    if (current && isEnd(current)) setDone(current);
  }, [current]);
  return {
    start,
    tried,
    done,
    error: session.error,
    isUnderway: start.isPending || (tried !== null && !session.error && done?.id !== tried.id),
    forget: () => {
      setTried(null);
      setDone(null);
      start.reset();
    },
  };
}

function Outcome({ trial, kind, isOld }: { trial: ReturnType<typeof useTrial>; kind: TrialKind; isOld: boolean }) {
  const { t } = useTranslation();
  const { done, error, isUnderway, start } = trial;
  return (
    <>
      {isUnderway && (
        <Underway text={t(done ? 'trial.updating' : start.isPending ? 'trial.sending' : 'trial.working')} />
      )}
      {!isUnderway && error && <Refusal error={error} />}
      {isOld && (
        <Text size="sm" c="dimmed" role="status">
          {t('trial.old')}
        </Text>
      )}
      {done && (done.failure || done.status === 'Failed') && (
        <Alert color="error" title={t('trial.failed')} role="alert">
          {done.failure?.message ?? t('error.unknown')}
        </Alert>
      )}
      {done && (done.failure === null || done.failure.code === 'FIX_FAILED') && (
        <TrialResult session={done} kind={kind} />
      )}
    </>
  );
}

interface SourceProps {
  source: Source | null;
  /** With a result, the file is shown in one line. */
  isTried: boolean;
  onChange: (source: Source | null) => void;
}

function SourceFields({ source, isTried, onChange }: SourceProps) {
  const { t } = useTranslation();
  const may = useMay();
  const list = useCall(sessionRoutes.list, { query: { pageSize: recentSessions } }, { enabled: may('sessions.view') });
  const sessions = (list.data?.items ?? []).filter((session) => !session.isDeleted && session.pageCount);
  if (source && isTried) {
    const name =
      'file' in source
        ? source.file.name
        : (source.fileName ?? sessions.find(({ id }) => id === source.sessionId)?.fileName);
    return (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Button variant="default" size="xs" style={{ flex: 'none' }} onClick={() => onChange(null)}>
          {t('trial.other')}
        </Button>
      </Group>
    );
  }
  return (
    <>
      {sessions.length > 0 && (
        <Select
          label={t('trial.session')}
          placeholder={t('trial.choose')}
          searchable
          clearable
          value={source && 'sessionId' in source ? source.sessionId : null}
          data={sessions.map(({ id, fileName, pageCount }) => ({ value: id, label: `${fileName} (${pageCount})` }))}
          onChange={(sessionId) => onChange(sessionId ? { sessionId } : null)}
        />
      )}
      <DropFile file={source && 'file' in source ? source.file : null} onFile={(file) => onChange({ file })} />
    </>
  );
}

function Refusal({ error, nameOf }: { error: Error; nameOf?: Props['nameOf'] }) {
  const { t } = useTranslation();
  const fields = error instanceof CallError ? error.errors.flatMap(({ field }) => (field ? [field] : [])) : [];
  const text = fields.reduce(
    (sentence, field) => sentence.replaceAll(field, nameOf?.(field) ?? field),
    failureText(error, t),
  );
  const isSettings = error instanceof CallError && (error.status === 400 || error.status === 422);
  return (
    <Alert color="error" title={t(isSettings ? 'trial.invalid' : 'trial.failed')} role="alert">
      {text}
    </Alert>
  );
}

const Underway = ({ text }: { text: string }) => (
  <Group role="status" gap="xs">
    <Loader size="sm" aria-hidden />
    <Text>{text}</Text>
  </Group>
);

const isEnd = (session: Session): boolean => isFinal(session.status) || session.status === 'OnHold';
