import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { SidePanel } from './side-panel.tsx';

/** What keeps the workflow from being published. Each line leads to its step and its field. */
export function IssuesPanel() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const issues = useBuilt((state) => state.issues);
  const { steps } = useDraft();
  return (
    <SidePanel title={t('builder.issuesTitle')}>
      {issues.length === 0 ? (
        <Text size="sm" className={classes.allRight}>
          <IconCircleCheck size={18} aria-hidden /> {t('builder.noIssues')}
        </Text>
      ) : (
        <ul className={classes.issues}>
          {issues.map((issue) => {
            const step = steps.find(({ id }) => id === issue.stepId);
            return (
              <li key={`${issue.code} ${issue.stepId} ${issue.edgeId} ${issue.variable} ${issue.field}`}>
                <Button
                  variant="subtle"
                  color="neutral"
                  fullWidth
                  justify="start"
                  h="auto"
                  py={8}
                  classNames={{ label: classes.issueLabel ?? '' }}
                  leftSection={<IconAlertTriangle size={16} aria-hidden color="var(--p2p-error)" />}
                  onClick={() => builder.openIssue(issue)}
                >
                  <span>
                    {step && <b>{words.title(step)}</b>}
                    <span>{words.toldOf(issue, step?.kind)}</span>
                  </span>
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </SidePanel>
  );
}
