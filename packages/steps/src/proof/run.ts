import {
  FileFaultError,
  type ProofApprover,
  type ProofDeputy,
  type ProofProfile,
  proofProfileSchema,
} from '@pdf2press/contract';
import { namesIn, oneLine, resolvePlaceholders } from '@pdf2press/settings';
import { addressesIn } from '../message.ts';
import type { ProofRequest, StepContext } from '../step.ts';
import { stepFacts } from '../step-facts.ts';
import type { StepRunner } from '../step-runner.ts';
import type { proofContract } from './contract.ts';

const hourMs = 3_600_000;
const after = (now: Date, hours: number): Date => new Date(now.getTime() + hours * hourMs);

/** So many are asked at most: a variable may hold a whole address book. */
const mostAsked = 50;

/** Everybody who is asked, addresses filled in; an address that is named twice is asked once. */
async function recipientsOf(
  context: StepContext,
  approvers: readonly (ProofApprover | ProofDeputy)[],
): Promise<ProofRequest['recipients']> {
  const texts = approvers.flatMap((approver) => (approver.kind === 'address' ? [approver.address, approver.name] : []));
  const { facts } = await stepFacts(context, texts.flatMap(namesIn));
  const fill = (text: string) => oneLine(resolvePlaceholders(text, facts, context.reader)).trim();
  const recipients = approvers.flatMap((approver): ProofRequest['recipients'] => {
    const isGatekeeper = 'isGatekeeper' in approver && approver.isGatekeeper;
    if (approver.kind === 'assignee') return [{ assigneeId: approver.id, isGatekeeper }];
    const emails = addressesIn(fill(approver.address));
    return emails.map((email) => ({
      email: email.toLowerCase(),
      name: emails.length === 1 ? fill(approver.name) : '',
      isGatekeeper,
    }));
  });
  if (recipients.length > mostAsked)
    throw new FileFaultError('ACTION_ADDRESSES_TOO_MANY', { count: recipients.length, max: mostAsked });
  return recipients;
}

/** So much of a line about the job is shown, characters. */
const longestDetail = 300;

/** The lines about the job with their values, as the house writes numbers and times; those without one are left out. */
async function detailsOf(context: StepContext, details: ProofProfile['details']): Promise<ProofProfile['details']> {
  const { facts } = await stepFacts(
    context,
    details.flatMap(({ value }) => namesIn(value)),
  );
  return details
    .map(({ label, value }) => ({
      label,
      value: oneLine(resolvePlaceholders(value, facts, context.reader))
        .trim()
        .slice(0, longestDetail),
    }))
    .filter(({ value }) => value !== '');
}

/** The entry of a profile that stands for somebody who is known by now. */
const deputyOf = (recipient: ProofRequest['recipients'][number]): ProofDeputy =>
  'email' in recipient
    ? { kind: 'address', address: recipient.email, name: recipient.name }
    : { kind: 'assignee', id: recipient.assigneeId };

/** What the deadline decides by itself. */
const decidedAtDeadline: Partial<Record<ProofProfile['onDeadline'], 'Approved' | 'Declined' | 'Expired'>> = {
  AutoApprove: 'Approved',
  AutoDecline: 'Declined',
  Expire: 'Expired',
};

export const runProof: StepRunner<typeof proofContract> = async (context) => {
  const { profile, now } = context;
  const read = proofProfileSchema.safeParse(profile?.settings ?? {});
  if (!profile || !read.success) throw new FileFaultError('SETTINGS_INVALID', { field: 'profileId' });
  const { pageLevel } = context.settings;
  const deputies = async (named: readonly ProofDeputy[]) => (await recipientsOf(context, named)).map(deputyOf);
  const escalateTo = await deputies(read.data.escalateTo);
  const cc = await deputies(read.data.reminder.cc);
  const settings = {
    ...read.data,
    escalateTo,
    details: await detailsOf(context, read.data.details),
    reminder: { ...read.data.reminder, cc },
    ...(pageLevel !== 'profile' && { pageLevel }),
  };
  const { deadlineHours, onDeadline, reminder } = settings;
  const dueAt = deadlineHours === null ? null : after(now, deadlineHours);
  const onDue = decidedAtDeadline[onDeadline];
  return {
    end: 'wait',
    wait: {
      kind: 'proof',
      allowed: ['Approved', 'Declined'],
      ...(dueAt && onDeadline !== 'Nothing' && { dueAt, ...(onDue && { onDue }) }),
      ...(reminder.firstAfterHours > 0 && { remindAt: after(now, reminder.firstAfterHours) }),
      proof: {
        profileName: profile.name,
        settings,
        recipients: await recipientsOf(context, settings.approvers),
        locale: settings.locale ?? context.reader.locale,
        dueAt,
      },
    },
  };
};
