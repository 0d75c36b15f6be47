import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../client/call-error.ts';
import { useDraft } from '../builder-store.ts';
import classes from './test-tab.module.css';
import { TrialDetail } from './trial-detail.tsx';
import { TrialSetup } from './trial-setup.tsx';
import { TrialTable } from './trial-table.tsx';
import { addressWith, useTrial } from './use-trial.ts';

/** Tries the draft on the screen on files, before it goes live. */
export function TestView({ workflowId }: { workflowId: string }) {
  const { t } = useTranslation();
  const trial = useTrial();
  const draft = JSON.stringify(useDraft());
  const [tried, setTried] = useState<string | null>(null);
  const { data, error, file, search } = trial;
  const rows = data?.rows ?? [];
  const [only] = rows;
  const opened = file ?? (rows.length === 1 ? only?.now.id : undefined);
  return (
    <div className={classes.test}>
      <TrialSetup workflowId={workflowId} trial={trial} onStart={setTried} />
      <div className={classes.result}>
        {error && (
          <Alert color="error" role="alert">
            {failureText(error, t)}
          </Alert>
        )}
        {!trial.id && (
          <Text c="dimmed" size="sm">
            {t('test.none')}
          </Text>
        )}
        {trial.id && tried !== null && tried !== draft && (
          <Text size="sm" c="dimmed" role="status">
            {t('test.old')}
          </Text>
        )}
        {trial.id &&
          data &&
          (opened ? (
            <TrialDetail
              key={opened}
              trialId={trial.id}
              sessionId={opened}
              back={rows.length > 1 ? addressWith(search, { file: null }) : null}
            />
          ) : (
            <TrialTable trial={trial} rows={rows} />
          ))}
      </div>
    </div>
  );
}
