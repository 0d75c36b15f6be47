import { Alert, Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { isFinal, type Session, sessionRoutes, type TrialKind, trialRoutes } from '@pdf2press/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { sendForm } from '../client/call.ts';
import { CallError, failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { DropFile } from './drop-file.tsx';
import { TrialResult } from './trial-result.tsx';

/** How often a running trial is asked for; it is a matter of seconds. */
const askMilliseconds = 700;
const recentSessions = 25;

type Source = { file: File } | { sessionId: string };

interface Props {
  kind: TrialKind;
  settings: Record<string, unknown>;
  /** What a setting is called, by its path on the wire. */
  nameOf: (path: string) => string | undefined;
}

/** A draft of a profile on a file, as the server would run it; what comes out stands below. */
export function TryOnFile({ kind, settings, nameOf }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const [source, setSource] = useState<Source | null>(null);
  const [isAsked, setAsked] = useState(false);
  const draft = JSON.stringify(settings);
  const trial = useMutation({
    mutationFn: async (from: Source) => {
      const form = new FormData();
      form.append('kind', kind);
      form.append('settings', draft);
      if ('file' in from) form.append('file', from.file);
      else form.append('sessionId', from.sessionId);
      return { ...(await sendForm(trialRoutes.create, form)), draft };
    },
  });
  if (!may(`${kind}.manage`)) return null;
  const run = () => {
    setAsked(true);
    if (source) trial.mutate(source);
  };
  return (
    <SectionCard title={t('trial.title')} text={t('trial.text')}>
      <Stack>
        <SourceFields source={source} onChange={setSource} />
        {isAsked && !source && (
          <Text size="sm" c="error" role="alert">
            {t('trial.needsFile')}
          </Text>
        )}
        <Group>
          <Button variant="light" leftSection={<IconPlayerPlay size={16} />} loading={trial.isPending} onClick={run}>
            {trial.data ? t('trial.again') : t('trial.run')}
          </Button>
        </Group>
        {trial.isPending && <Underway text={t('trial.sending')} />}
        {trial.error && <Refusal error={trial.error} nameOf={nameOf} />}
        {trial.data && !trial.isPending && (
          <>
            {trial.data.draft !== draft && (
              <Text size="sm" c="dimmed" role="status">
                {t('trial.old')}
              </Text>
            )}
            <Followed key={trial.data.id} id={trial.data.id} kind={kind} />
          </>
        )}
      </Stack>
    </SectionCard>
  );
}

function SourceFields({ source, onChange }: { source: Source | null; onChange: (source: Source | null) => void }) {
  const { t } = useTranslation();
  const may = useMay();
  const list = useCall(sessionRoutes.list, { query: { pageSize: recentSessions } }, { enabled: may('sessions.view') });
  const sessions = (list.data?.items ?? []).filter((session) => !session.isDeleted && session.pageCount);
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

/** A trial from its start to its result. */
function Followed({ id, kind }: { id: string; kind: TrialKind }) {
  const { t } = useTranslation();
  const { data, error } = useCall(
    sessionRoutes.get,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && isEnd(state.data) ? false : askMilliseconds) },
  );
  if (!data) return error ? <Refusal error={error} /> : <Underway text={t('trial.sending')} />;
  if (!isEnd(data)) return <Underway text={t('trial.running', { name: data.fileName })} />;
  if (data.failure || data.status === 'Failed')
    return (
      <Alert color="error" title={t('trial.failed')} role="alert">
        {data.failure?.message ?? t('error.unknown')}
      </Alert>
    );
  return <TrialResult session={data} kind={kind} />;
}

const isEnd = (session: Session): boolean => isFinal(session.status) || session.status === 'OnHold';
