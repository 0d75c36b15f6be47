import {
  type Arrival,
  contractMessages,
  type ErrorParams,
  type Locale,
  locales,
  nearestLocale,
  type Problem,
  type SenderOfFile,
  sentence,
} from '@pdf2press/contract';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { SourceAnswer } from '@pdf2press/sources/contracts';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { interval } from '../postgres/interval.ts';
import { readSettings } from '../secrets/settings.ts';
import { decideOrganization } from './decide-organization.ts';

/** Answers to one address in an hour. More are not sent: a program at the other end would be answered for ever. */
const mostOfAddress = 10;
/** Seconds in which what is wrong with other files of the same mail comes into the same message. */
const gatherSeconds = 30;
/** Lines of such a message; a ZIP may hold a thousand files. */
const mostLines = 50;

type Why = Pick<Problem, 'code' | 'params'>;

/** What is wrong with a file: a code of the contract's messages with its parameters. */
export interface FoundInFile {
  code: string;
  params?: ErrorParams | undefined;
}

interface Answered {
  subscriberId: string;
  workflowId: string;
  answer: Omit<SenderOfFile, 'no'>;
}

export interface AnsweredMail extends Answered {
  answer: SourceAnswer;
  /** What became of each of its files, in their order: null for one that was taken. */
  outcomes: readonly (Why | null)[];
}

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

type Template = 'mailReceived' | 'mailPartly' | 'mailRefused' | 'mailWaits' | 'mailUnusable';

/** Named by what came together, so that the same answer is given once, and told from other messages to the same address. */
const keyOf = ({ answer: { key, to } }: Answered, template: Template): string => `mail answer ${key} ${template} ${to}`;

/** Records an answer unless it is recorded already, or its address has had enough of them. */
async function answerWith(
  tx: Transaction,
  mail: Answered,
  template: Template,
  {
    problemsIn,
    notBefore,
    key = keyOf(mail, template),
  }: { problemsIn: (locale: Locale) => readonly string[]; notBefore?: Date; key?: string },
): Promise<void> {
  if ((await tx.effect.count({ where: { key } })) > 0 || !(await isWorthy(tx, mail))) return;
  const { to, reference, messageId } = mail.answer;
  const locale = await localeOf(tx, mail);
  await enqueueEffect(tx, {
    kind: 'mail',
    key,
    ...(notBefore && { notBefore }),
    payload: {
      template,
      to,
      name: to,
      locale,
      params: { reference, problems: problemsIn(locale).join('\n') },
      ...(messageId && { inReplyTo: messageId }),
    },
  });
}

const said = (locale: Locale, { code, params = {} }: FoundInFile): string =>
  sentence(contractMessages, locale, code, params);

/**
 * Tells the sender of a mail that its files wait, and for what; the same once. What becomes of them is answered then, in a
 * message of its own.
 */
export const answerWaiting = (deps: EngineDeps, mail: Answered & { fault: Why }): Promise<void> =>
  deps.database.withSubscriber({ subscriberId: mail.subscriberId }, (tx) =>
    answerWith(tx, mail, 'mailWaits', { problemsIn: (locale) => [said(locale, mail.fault)] }),
  );

/**
 * Tells the sender of a mail that its files were received, with a reference to ask by, or which were refused and why; the same
 * once. None of the words is theirs, so that nobody can have us write to others.
 */
export const answerSender = (deps: EngineDeps, mail: AnsweredMail): Promise<void> =>
  deps.database.withSubscriber({ subscriberId: mail.subscriberId }, async (tx) => {
    const { outcomes } = mail;
    const refused = outcomes.filter((problem) => problem !== null).length;
    const template = refused === 0 ? 'mailReceived' : refused < outcomes.length ? 'mailPartly' : 'mailRefused';
    await answerWith(tx, mail, template, {
      problemsIn: (locale) =>
        outcomes.flatMap((problem, at) => (problem ? [`${at + 1}: ${said(locale, problem)}`] : [])),
    });
  });

/** What is wrong with a file itself, as the step says that opens it; not what went wrong here. */
const isOfFile = (code: string): boolean =>
  code !== 'PDF_CRASH' && /^(PDF|ZIP|SPLIT|MERGE|FILE_TYPE|file|sidecar|workflow)[._]/.test(code);

/** Words in sentences that are the house's: all others may be the sender's, from a name or out of the file. */
const ours: ReadonlySet<string> = new Set(['types', 'pattern', 'session']);

const withoutWords = (params: ErrorParams): ErrorParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' && !ours.has(name) ? '…' : value]),
  );

/** What is wrong without a word of the sender's; of a file in a ZIP that is one document, what is wrong with that file. */
const withoutTheirs = ({ code, params = {} }: FoundInFile): FoundInFile => ({
  code: code === 'MERGE_FILE' ? String(params.reason) : code,
  params: withoutWords(params),
});

/** The message of the same mail that still gathers, locked, so that no worker begins to send it before this transaction has ended. */
async function openMessage(
  tx: Transaction,
  prefix: string,
): Promise<{ id: string; locale: Locale; problems: string } | undefined> {
  // One at a time: two that find none would begin two.
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended(current_subscriber() || ' ' || ${prefix}, 0))::text`;
  const [open] = await tx.$queryRaw<{ id: string; locale: Locale; problems: string }[]>`
    select id, payload ->> 'locale' as locale, payload #>> '{params,problems}' as problems from effects
     where kind = 'mail' and starts_with(key, ${prefix}) and state = 'Pending' and attempt = 0
       and next_at > clock_timestamp()
     order by next_at limit 1 for update`;
  return open;
}

/**
 * Tells whoever sent a session's file by mail that it turned out to be unusable when it was opened, and why: they were told
 * that it was received. In the transaction that records it. Of files that came together it is one message, as far as it is
 * found out in the same half minute. Nothing where nobody is to be told, or where nothing of it is the file's.
 */
export async function tellSender(
  tx: Transaction,
  { sessionId, problems }: { sessionId: string; problems: readonly FoundInFile[] },
): Promise<void> {
  const told = problems.filter(({ code }) => isOfFile(code)).map(withoutTheirs);
  if (told.length === 0) return;
  const { arrival, subscriberId, workflowId } = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { arrival: true, subscriberId: true, workflowId: true },
  });
  const { sender, part } = storedAs<Arrival>(arrival);
  if (!sender) return;
  const mail = { subscriberId, workflowId, answer: sender };
  // A file in a ZIP is told by its number there.
  const place = part?.index === undefined ? `${sender.no}` : `${sender.no} (${part.index}/${part.count})`;
  const problemsIn = (locale: Locale) => [...new Set(told.map((problem) => `${place}: ${said(locale, problem)}`))];
  const prefix = `${keyOf(mail, 'mailUnusable')} `;
  const open = await openMessage(tx, prefix);
  if (!open) {
    const [clock] = await tx.$queryRaw<{ due: Date }[]>`
      select clock_timestamp() + ${interval(gatherSeconds * 1_000)} as due`;
    return answerWith(tx, mail, 'mailUnusable', {
      key: `${prefix}${sessionId}`,
      ...(clock && { notBefore: clock.due }),
      problemsIn,
    });
  }
  const lines = [...open.problems.split('\n'), ...problemsIn(open.locale)].slice(0, mostLines);
  await tx.$executeRaw`
    update effects set payload = jsonb_set(payload, '{params,problems}', to_jsonb(${lines.join('\n')}::text))
     where id = ${open.id}`;
}
