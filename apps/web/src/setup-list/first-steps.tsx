import { Anchor, CloseButton, Group, Text, Title } from '@mantine/core';
import { sessionRoutes, systemRoutes, userRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../client/queries.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { openInjection } from '../uploads/injection.ts';
import classes from './first-steps.module.css';

/** Sessions and workflows that a new installation has already. */
const samples = { sessions: 2, workflows: 1 };

/** What the first administrator does first, ticked by what is there. It goes when all is done, or when it is closed. */
export function FirstSteps() {
  const { t } = useTranslation();
  const isClosed = usePreferences((preferences) => preferences.firstStepsClosed);
  const once = { enabled: !isClosed };
  const settings = useCall(systemRoutes.settings, undefined, once);
  const workflows = useCall(workflowRoutes.list, { query: { pageSize: 10 } }, once);
  const sessions = useCall(sessionRoutes.list, { query: { pageSize: 10 } }, once);
  const users = useCall(userRoutes.list, { query: { pageSize: 10 } }, once);
  if (isClosed || !settings.data || !workflows.data || !sessions.data || !users.data) return null;
  const steps = [
    { key: 'mail', isDone: settings.data.smtpSettings.host !== '', to: '/settings?tab=mail' },
    { key: 'workflow', isDone: workflows.data.total > samples.workflows, to: '/workflows/new' },
    { key: 'upload', isDone: sessions.data.total > samples.sessions, act: () => openInjection() },
    { key: 'people', isDone: users.data.total > 1, to: '/user/new' },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section className={`card ${classes.steps}`} aria-label={t('firstSteps.title')}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          {t('firstSteps.title')}{' '}
          <Text span c="dimmed" fw={400} className="tabular">
            {done}/{steps.length}
          </Text>
        </Title>
        <CloseButton aria-label={t('firstSteps.close')} onClick={() => setPreferences({ firstStepsClosed: true })} />
      </Group>
      <ol className={classes.list}>
        {steps.map(({ key, isDone, to, act }) => (
          <li key={key} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheckFilled size={18} className={classes.done} aria-label={t('firstSteps.done')} />
            ) : (
              <IconCircle size={18} aria-hidden />
            )}
            {isDone ? (
              <Text span c="dimmed">
                {t(`firstSteps.${key}`)}
              </Text>
            ) : to ? (
              <Anchor component={Link} to={to}>
                {t(`firstSteps.${key}`)}
              </Anchor>
            ) : (
              <Anchor component="button" type="button" onClick={act}>
                {t(`firstSteps.${key}`)}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
