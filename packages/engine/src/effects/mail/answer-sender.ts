import { contractMessages, type Locale, locales, nearestLocale, type Problem, sentence } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { SourceAnswer } from '@pdf2press/sources/contracts';
import type { EngineDeps } from '../../deps.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { readSettings } from '../../secrets/settings.ts';
import { decideOrganization } from '../../sessions/decide-organization.ts';
import { queueMail } from './queue-mail.ts';

/** Answers to one address in an hour. More are not sent: a program at the other end would be answered for ever. */
const mostOfAddress = 10;

/** Named causes, so that answers are told from other messages to the same address. */
const causeOf = (key: string) => `answer ${key}`;

export interface AnsweredMail {
  subscriberId: string;
  workflowId: string;
  answer: SourceAnswer;
  /** What became of each of its files, in their order: null for one that was taken. */
  outcomes: readonly (Pick<Problem, 'code' | 'params'> | null)[];
}

type Answered = Omit<AnsweredMail, 'outcomes'>;

/** The first language of theirs that the product speaks; else that of the organization, or of the house. */
async function localeOf(tx: Transaction, { subscriberId, workflowId, answer }: Answered): Promise<Locale> {
  const base = (tag: string) => tag.split('-')[0]?.toLowerCase();
  const spoken = answer.languages.find((tag) => locales.some((locale) => base(locale) === base(tag)));
  if (spoken) return nearestLocale(spoken);
  const { organizationId } = await decideOrganization(tx, { workflowId });
  const organization = organizationId
    ? await tx.organization.findFirst({ where: { id: organizationId }, select: { options: true } })
    : null;
  const { culture = '' } = (organization?.options ?? {}) as { culture?: string };
  return nearestLocale(culture || (await readSettings(tx, subscriberId)).culture);
}

async function isWorthy(tx: Transaction, { subscriberId, answer: { to } }: Answered): Promise<boolean> {
  const { smtpSettings } = await readSettings(tx, subscriberId);
  const own = [smtpSettings.senderEmail, smtpSettings.username].map((address) => address.toLowerCase());
  if (own.includes(to.toLowerCase())) return false;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from effects
     where kind = 'mail' and key like 'mail answer %' and payload->>'to' = ${to}
       and created_at > clock_timestamp() - interval '1 hour'`;
  return (row?.count ?? 0) < mostOfAddress;
}

/**
 * Tells the sender of a mail that its files wait, and for what; the same once. What becomes of them is answered then, in a
 * message of its own.
 */
export const answerWaiting = (
  deps: EngineDeps,
  keys: InstanceKeys,
  mail: Answered & { fault: Pick<Problem, 'code' | 'params'> },
): Promise<void> =>
  deps.database.withSubscriber({ subscriberId: mail.subscriberId }, async (tx) => {
    const { subscriberId, answer, fault } = mail;
    if (!(await isWorthy(tx, mail))) return;
    const locale = await localeOf(tx, mail);
    await queueMail(tx, keys, {
      reader: { subscriberId, email: answer.to, firstName: '', lastName: '', locale },
      template: 'mailWaits',
      params: {
        reference: answer.reference,
        problems: sentence(contractMessages, locale, fault.code, fault.params ?? {}),
      },
      cause: causeOf(answer.key),
      inReplyTo: answer.messageId,
    });
  });

/**
 * Tells the sender of a mail that its files were received, with a reference to ask by, or which were refused and why; the same
 * once. None of the words is theirs, so that nobody can have us write to others.
 */
export const answerSender = (deps: EngineDeps, keys: InstanceKeys, mail: AnsweredMail): Promise<void> =>
  deps.database.withSubscriber({ subscriberId: mail.subscriberId }, async (tx) => {
    const { subscriberId, answer, outcomes } = mail;
    if (!(await isWorthy(tx, mail))) return;
    const locale = await localeOf(tx, mail);
    const refused = outcomes.flatMap((problem, at) =>
      problem ? [`${at + 1}: ${sentence(contractMessages, locale, problem.code, problem.params ?? {})}`] : [],
    );
    const template =
      refused.length === 0 ? 'mailReceived' : refused.length < outcomes.length ? 'mailPartly' : 'mailRefused';
    await queueMail(tx, keys, {
      reader: { subscriberId, email: answer.to, firstName: '', lastName: '', locale },
      template,
      params: { reference: answer.reference, problems: refused.join('\n') },
      cause: causeOf(answer.key),
      inReplyTo: answer.messageId,
    });
  });
