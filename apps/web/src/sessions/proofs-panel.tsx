import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import {
  type PageDecision,
  type ProofRecipient,
  type ProofState,
  pageRanges,
  type Session,
  type SessionProof,
} from '@pdf2press/contract';
import { proofRoutes } from '@pdf2press/contract/calls';
import {
  IconCertificate,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconClockOff,
  IconMail,
  IconMessageX,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { downloadMade } from '../client/made-file.ts';
import { useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { notify } from '../frame/toasts.tsx';
import { formatNumber, formatTime } from '../language/formats.ts';
import { ProofDialogs, type ProofQuestion, proofsChanged } from './proof-dialogs.tsx';
import classes from './proofs-panel.module.css';
import { SessionNotes } from './session-notes.tsx';
import { type Look, StatusIcon } from './status.tsx';
import { changedAfter } from './step-files.ts';
import { stepTitle } from './step-title.ts';

const looks: Record<ProofState, Look> = {
  Open: { tone: 'info', icon: IconMail },
  Held: { tone: 'warning', icon: IconClock },
  Approved: { tone: 'success', icon: IconCircleCheck },
  Declined: { tone: 'warning', icon: IconMessageX },
  Expired: { tone: 'warning', icon: IconClockOff },
  Superseded: { tone: 'neutral', icon: IconCircleDashed },
  Closed: { tone: 'neutral', icon: IconCircleDashed },
};

/** The list is read again: a recipient's look at the proof is no event of the session. Milliseconds. */
const readAgainMilliseconds = 15_000;

/** Every version of the session's proofs: who was asked, what they did, and what the house can do. */
export function ProofsPanel({ session }: { session: Session }) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState<ProofQuestion | null>(null);
  const { data, error } = useCall(
    proofRoutes.list,
    { params: { id: session.id } },
    {
      refetchInterval: ({ state }) => (state.data?.some(({ isWaiting }) => isWaiting) ? readAgainMilliseconds : false),
    },
  );
  if (error) return <Text c="var(--p2p-error)">{failureText(error, t)}</Text>;
  if (data?.length === 0) return <Text c="dimmed">{t('proofs.none')}</Text>;
  return (
    <>
      {data?.map((proof) => (
        <OneProof key={proof.id} session={session} proof={proof} onAsk={setQuestion} />
      ))}
      <ProofDialogs session={session} question={question} onClose={() => setQuestion(null)} />
    </>
  );
}

interface ProofProps {
  session: Session;
  proof: SessionProof;
  onAsk: (question: ProofQuestion) => void;
}

/** Whether the house can still do something with the proof. */
const isOpen = ({ isWaiting, state }: SessionProof): boolean => isWaiting && (state === 'Open' || state === 'Held');

/** Whether somebody is not asked yet because gatekeepers come first. */
const isBehindGate = (
  { recipients, lacksGatekeeper }: SessionProof,
  { state, isGatekeeper }: ProofRecipient,
): boolean =>
  state === 'Waiting' &&
  !isGatekeeper &&
  (lacksGatekeeper ||
    recipients.some((other) => other.isGatekeeper && other.state === 'Asked' && other.link !== 'revoked'));

function OneProof({ session, proof, onAsk }: ProofProps) {
  const { t } = useTranslation();
  const may = useMay();
  const { state, version, dueAt, openedAt, recipients } = proof;
  const mayLinks = isOpen(proof) && may('proofs.links.manage');
  const mayDecide = isOpen(proof) && may('proofs.decideOnBehalf');
  return (
    <section className={classes.proof} aria-label={t('clientProof.version', { version })}>
      <Group gap="xs" wrap="nowrap">
        <StatusIcon look={looks[state]} size={20} />
        <div>
          <Text component="h3" fw={600} size="sm">
            {t('clientProof.version', { version })} · {t(`proofs.state.${state}`)}
          </Text>
          <Text size="xs" c="dimmed">
            {proof.fileName} · {formatTime(openedAt)}
            {dueAt && ` · ${t('proofs.due', { time: formatTime(dueAt) })}`}
          </Text>
        </div>
      </Group>
      {isOpen(proof) && proof.lacksGatekeeper && (
        <Alert color="warning" variant="light" p="xs">
          {t('proofs.lacksGatekeeper')}
        </Alert>
      )}
      <ul className={classes.recipients}>
        {recipients.map((recipient) => (
          <Recipient key={recipient.id} session={session} proof={proof} recipient={recipient} onAsk={onAsk} />
        ))}
      </ul>
      {(mayLinks || mayDecide) && (
        <Group gap="xs">
          {mayLinks && (
            <>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconUserPlus size={15} aria-hidden />}
                onClick={() => onAsk({ kind: 'add', proof })}
              >
                {t('proofs.add')}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconClock size={15} aria-hidden />}
                onClick={() => onAsk({ kind: 'extend', proof })}
              >
                {t('proofs.extend')}
              </Button>
            </>
          )}
          {mayDecide && (
            <Button size="xs" variant="default" onClick={() => onAsk({ kind: 'decide', proof, recipient: null })}>
              {t('proofs.decide')}
            </Button>
          )}
        </Group>
      )}
      <SessionNotes params={{ id: session.id, proofId: proof.id }} isOpen={isOpen(proof)} />
      <Records proof={proof} />
      <Changed session={session} proof={proof} />
      {proof.records.length > 0 && <Certificate params={{ id: session.id, proofId: proof.id }} />}
    </section>
  );
}

/** Says which steps made another file after the approval: that one was approved by nobody. */
function Changed({ session, proof: { state, sha256 } }: Pick<ProofProps, 'session' | 'proof'>) {
  const { t } = useTranslation();
  const steps = state === 'Approved' ? changedAfter(session, sha256) : [];
  if (steps.length === 0) return null;
  const titles = steps.map((step) => stepTitle(step, t)).join(', ');
  return (
    <Text size="sm" c="dimmed">
      {t('proofs.changedAfter', { steps: titles })}
    </Text>
  );
}

/** The signed certificate of the decisions so far, and the key that it is verified with. */
function Certificate({ params }: { params: { id: string; proofId: string } }) {
  const { t } = useTranslation();
  const load = useMutation({
    mutationFn: () => downloadMade(() => call(proofRoutes.certificate, { params })),
    onError: notify.failure,
  });
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCertificate size={15} aria-hidden />}
        loading={load.isPending}
        onClick={() => load.mutate()}
      >
        {t('proofs.certificate')}
      </Button>
      <Anchor size="xs" href="/api/certificate-key.pem" download>
        {t('proofs.certificateKey')}
      </Anchor>
    </Group>
  );
}

function Recipient({ session, proof, recipient, onAsk }: ProofProps & { recipient: ProofRecipient }) {
  const { t } = useTranslation();
  const may = useMay();
  const { name, email, state, decidedAt, viewCount, lastViewedAt, remindersSent, refusedAt, link, linkExpiresAt } =
    recipient;
  const { pagesSeen } = recipient;
  const isAsked = isOpen(proof) && state === 'Asked';
  // Whose link was withdrawn is no longer waited for.
  const mayDecide = isAsked && link !== 'revoked' && may('proofs.decideOnBehalf');
  const mayLinks = isAsked && may('proofs.links.manage');
  const params = { id: session.id, proofId: proof.id, recipientId: recipient.id };
  const act = useMutation({
    mutationFn: (route: typeof proofRoutes.resend | typeof proofRoutes.revoke) => call(route, { params }),
    onError: notify.failure,
    onSettled: proofsChanged,
  });
  const revoke = async () => {
    const isSure = await confirm({
      title: t('proofs.revoke.title', { name: name || email }),
      text: t('proofs.revoke.text'),
      act: t('proofs.revoke'),
      isDangerous: true,
    });
    if (isSure) act.mutate(proofRoutes.revoke);
  };
  return (
    <li>
      <Text size="sm" fw={500}>
        {name || email}
      </Text>
      {name && (
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      )}
      <ul className={classes.facts}>
        {recipient.isGatekeeper && <li>{t('proofs.gatekeeper')}</li>}
        <li>
          {isBehindGate(proof, recipient) ? t('proofs.behindGate') : t(`clientProof.recipient.${state}`)}
          {decidedAt && `, ${formatTime(decidedAt)}`}
        </li>
        <li>{t(`proofs.link.${link}`, { time: linkExpiresAt ? formatTime(linkExpiresAt) : '' })}</li>
        <li>
          {lastViewedAt
            ? t('proofs.viewed', { count: viewCount, time: formatTime(lastViewedAt) })
            : t('proofs.notViewed')}
        </li>
        {pagesSeen.length > 0 && (
          <li>
            {t('proofs.pagesSeen', {
              pages: pageRanges(pagesSeen.toSorted((one, other) => one - other)),
              count: session.pageCount ?? pagesSeen.length,
            })}
          </li>
        )}
        {refusedAt && <li className={classes.refused}>{t('proofs.refused', { time: formatTime(refusedAt) })}</li>}
        {remindersSent > 0 && <li>{t('proofs.reminders', { count: remindersSent })}</li>}
      </ul>
      <Messages recipient={recipient} />
      {isAsked && (
        <Group gap="xs">
          {mayLinks && (
            <Button
              size="compact-xs"
              variant="default"
              loading={act.isPending}
              onClick={() => act.mutate(proofRoutes.resend)}
            >
              {t('proofs.resend')}
            </Button>
          )}
          {mayLinks && link !== 'revoked' && (
            <Button size="compact-xs" variant="default" color="error" disabled={act.isPending} onClick={revoke}>
              {t('proofs.revoke')}
            </Button>
          )}
          {mayDecide && (
            <Button size="compact-xs" variant="default" onClick={() => onAsk({ kind: 'decide', proof, recipient })}>
              {t('proofs.decideFor')}
            </Button>
          )}
        </Group>
      )}
    </li>
  );
}

/** The templates of messages to recipients. */
const templates = ['proofRequest', 'proofVersion', 'proofReminder', 'proofCode'] as const;

/** What was written to a recipient; a message that could not be sent stands out. */
function Messages({ recipient: { messages } }: { recipient: ProofRecipient }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.messages}>
      {messages.map(({ id, template, state, at, error }) => {
        const known = templates.find((one) => one === template) ?? 'proofRequest';
        const line = `${t(`proofs.message.${known}`)} · ${t(`proofs.message.${state}`)} · ${formatTime(at)}`;
        return (
          <li key={id}>
            {state === 'failed' ? (
              <Alert color="error" variant="light" p="xs">
                {line}
                {error && <div>{error}</div>}
              </Alert>
            ) : (
              line
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** What was decided, as it is kept. */
function Records({ proof: { records } }: { proof: SessionProof }) {
  const { t } = useTranslation();
  return records.map(({ id, no, hash, record, noteCount }) => (
    <div key={id} className={classes.record}>
      <strong>
        {t(`clientProof.done.${record.decision}`, { name: record.name || record.email, time: formatTime(record.at) })}
      </strong>
      {record.replaces !== undefined && <p>{t('proofs.replaces', { no: formatNumber(record.replaces) })}</p>}
      {record.label && <p>{t('proofs.label', { label: record.label })}</p>}
      {record.link && <p>{t('proofs.byLink', { no: formatNumber(record.link.no), address: record.link.sentTo })}</p>}
      {record.details?.map(({ label, value }, at) => (
        <p key={at}>{[label, value].filter(Boolean).join(': ')}</p>
      ))}
      {record.signature && <p>{t('proofs.signature', { name: record.signature })}</p>}
      {record.asked?.isGatekeeper && <p>{t('proofs.gatekeeper')}</p>}
      {record.reason && <p>{record.reason}</p>}
      {record.comment && <p>{record.comment}</p>}
      {record.onBehalf && <p>{t('proofs.onBehalf', { name: record.onBehalf.by, reason: record.onBehalf.reason })}</p>}
      {record.acceptedFindingIds.length > 0 && (
        <p>{t('proofs.accepted', { count: record.acceptedFindingIds.length })}</p>
      )}
      {record.pages && <DecidedPages pages={record.pages} />}
      {noteCount !== null && noteCount > 0 && <p>{t('proofs.noteCount', { count: noteCount })}</p>}
      <small title={hash}>
        {t('proofs.record', { no: formatNumber(no) })} <code>{hash}</code>
      </small>
    </div>
  ));
}

/** What was decided page by page: the declined pages with what was said of each. */
function DecidedPages({ pages }: { pages: readonly PageDecision[] }) {
  const { t } = useTranslation();
  const declined = pages.filter(({ decision }) => decision === 'Declined');
  if (declined.length === 0) return <p>{t('proofs.pagesApproved', { count: pages.length })}</p>;
  return (
    <>
      <p>
        {t('clientProof.pagesDeclined', { count: declined.length, pages: declined.map(({ page }) => page).join(', ') })}
      </p>
      {declined.map(({ page, reason }) => reason && <p key={page}>{t('proof.pageSaid', { page, reason })}</p>)}
    </>
  );
}
