import { Alert, Button, Group, NumberInput, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { mostTrialFiles } from '@pdf2press/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../account/use-me.ts';
import { failureText } from '../../client/call-error.ts';
import { DropFile } from '../../trials/drop-file.tsx';
import { useBuilder, useBuilt, useDraft } from '../builder-store.ts';
import { useBuilderWords } from '../builder-words.ts';
import { answersInTrials } from '../step-kinds.ts';
import { PastSessions, type Picked } from './past-sessions.tsx';
import classes from './test-tab.module.css';
import type { useTrial } from './use-trial.ts';

const sources = ['file', 'last', 'chosen'] as const;
type Source = (typeof sources)[number];
const lastAtFirst = 20;

interface Props {
  workflowId: string;
  trial: ReturnType<typeof useTrial>;
  onStart: (draft: string) => void;
}

/** On what the draft is tried, and how the steps that would wait are answered. */
export function TrialSetup({ workflowId, trial, onStart }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const builder = useBuilder();
  const name = useBuilt((state) => state.history.present.name);
  const issues = useBuilt((state) => state.issues.length);
  const draft = useDraft();
  const [source, setSource] = useState<Source>('file');
  const [file, setFile] = useState<File | null>(null);
  const [picked, setPicked] = useState<Picked[]>([]);
  const [last, setLast] = useState(lastAtFirst);
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const { start } = trial;
  const isReady = source === 'file' ? file !== null : source === 'last' ? last > 0 : picked.length > 0;
  const run = () => {
    if (issues > 0) return builder.open('issues');
    onStart(JSON.stringify(draft));
    start.mutate({
      workflowId,
      name,
      draft,
      answers: Object.fromEntries(
        Object.entries(answers).filter(([stepId]) => draft.steps.some(({ id }) => id === stepId)),
      ),
      file: source === 'file' ? file : null,
      last: source === 'last' ? last : 0,
      sessionIds: source === 'chosen' ? picked.map(({ value }) => value) : [],
    });
  };
  return (
    <section className={classes.setup} aria-label={t('test.title')}>
      <Stack gap="sm">
        <div>
          <Text component="h2" fw={600}>
            {t('test.title')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('test.text')}
          </Text>
        </div>
        {may('sessions.view') && (
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t('test.source')}
            value={source}
            onChange={(value) => setSource(value as Source)}
            data={sources.map((value) => ({ value, label: t(`test.source.${value}`) }))}
          />
        )}
        {source === 'file' && <DropFile file={file} onFile={setFile} />}
        {source === 'last' && (
          <NumberInput
            label={t('test.last')}
            min={1}
            max={mostTrialFiles}
            allowDecimal={false}
            value={last}
            onChange={(value) => setLast(Number(value) || 0)}
          />
        )}
        {source === 'chosen' && <PastSessions picked={picked} onChange={setPicked} />}
        <Answers answers={answers} onChange={setAnswers} />
        <Group>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={!isReady && issues === 0}
            loading={start.isPending}
            onClick={run}
          >
            {t('test.run')}
          </Button>
          {issues > 0 && (
            <Text size="sm" c="var(--p2p-error)" role="status">
              {t('test.hasIssues', { count: issues })}
            </Text>
          )}
        </Group>
        {start.error && (
          <Alert color="error" role="alert" title={t('test.refused')}>
            {failureText(start.error, t)}
          </Alert>
        )}
      </Stack>
    </section>
  );
}

interface AnswersProps {
  answers: Readonly<Record<string, string>>;
  onChange: (answers: Readonly<Record<string, string>>) => void;
}

/** What the steps that would wait for people, or act outside, go on by. */
function Answers({ answers, onChange }: AnswersProps) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const { steps } = useDraft();
  const asked = steps.flatMap((step) => {
    const open = answersInTrials(step.kind);
    return open.length > 1 ? [{ step, open }] : [];
  });
  return asked.map(({ step, open }) => (
    <Select
      key={step.id}
      label={t('test.answer', { step: words.title(step) })}
      allowDeselect={false}
      value={answers[step.id] ?? open[0] ?? null}
      data={open.map((value) => ({
        value,
        label: value === 'cancel' ? t('test.answer.cancel') : words.port(step, value),
      }))}
      onChange={(value) => value && onChange({ ...answers, [step.id]: value })}
    />
  ));
}
