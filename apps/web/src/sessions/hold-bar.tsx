import { Group, Paper, Text } from '@mantine/core';
import type { BulkAction, Session, SessionHold } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { IconHandStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { formatTime } from '../language/formats.ts';
import { ActionButton } from './action-button.tsx';
import { answers, ask, isAsking } from './answers.ts';
import { totalsText } from './finding-totals.tsx';
import { HoldFields, useHoldFields } from './hold-fields.tsx';
import classes from './session.module.css';
import { actOnSessions, useSessionActions } from './session-actions.ts';

/** Why, since when and for whom a session is on hold, what the step shows and asks for, and the possible answers. */
export function HoldBar({ session }: { session: Session }) {
  const { t } = useTranslation();
  const other = session.isStopped ? 'continue' : 'resume';
  const { hold } = session;
  const isOffered = (action: string) => !hold || action === 'resume' || hold.answers.some((one) => one === action);
  const offers = useSessionActions(answers)([session]).filter(({ action }) => action !== other && isOffered(action));
  const mayContinue = offers.some(({ action, refusal }) => action === 'continue' && refusal === null);
  const fields = useHoldFields(session);
  return (
    <Paper className={`card ${classes.hold}`} component="section" aria-label={t('session.onHold')}>
      <IconHandStop size={20} aria-hidden />
      <div className={classes.holdText}>
        <Text fw={600}>{hold?.reason || t(session.isStopped ? 'session.stoppedBy' : 'session.heldBy')}</Text>
        {hold && <Why session={session} />}
        {hold && (
          <Text size="sm" c="dimmed">
            <HoldTimes hold={hold} />
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.holdActions}>
        {offers.map((offer, at) => (
          <ActionButton
            key={offer.action}
            offer={offer}
            variant={at === 0 ? 'filled' : offer.action === 'cancel' ? 'light' : 'default'}
            onAct={(action) => {
              if (isAsking(action)) return ask(action);
              if (action === 'continue' && fields.areAsked) return void fields.submit();
              void actOnSessions(t, action as BulkAction, [session]);
            }}
          />
        ))}
      </Group>
      {hold && hold.fields.length > 0 && <HoldFields hold={hold} form={fields} isOpen={mayContinue} />}
    </Paper>
  );
}

/** What the file is held for, as far as findings say: how many, and the worst of them. */
function Why({ session }: { session: Session }) {
  const { t } = useTranslation();
  const { findings } = session;
  const isFound = findings !== null && findings.Fail + findings.Warn > 0;
  const query = { severity: ['Fail' as const, 'Warn' as const], state: ['left' as const, 'new' as const], pageSize: 1 };
  const { data } = useCall(sessionRoutes.findings, { params: { id: session.id }, query }, { enabled: isFound });
  const worst = data?.items[0];
  if (!isFound || !worst) return null;
  return <Text size="sm">{t('session.why', { totals: totalsText(findings, t), finding: worst.operatorMessage })}</Text>;
}

/** For whom it waits and since when, when it passes to somebody else, and when it ends by itself. */
function HoldTimes({ hold }: { hold: SessionHold }): ReactNode {
  const { t } = useTranslation();
  const { assignee, escalation, isMine, since, dueAt, onDue, releaseWhen } = hold;
  const nameOf = (one: { name: string | null }) => one.name ?? t('session.assigneeGone');
  return (
    <>
      {t('session.waiting')} <time dateTime={since}>{formatTime(since)}</time>
      {assignee && ` · ${t('session.waitsFor', { name: nameOf(assignee) })}`}
      {isMine && <b> · {t('session.waitsForMe')}</b>}
      {escalation && ` · ${t('session.escalates', { name: nameOf(escalation.to), when: formatTime(escalation.at) })}`}
      {releaseWhen && ` · ${t('session.goesOnWith', { name: releaseWhen })}`}
      {dueAt && onDue && ` · ${t(`session.due.${onDue}`, { when: formatTime(dueAt) })}`}
    </>
  );
}
