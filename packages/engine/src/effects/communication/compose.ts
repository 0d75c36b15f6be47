import {
  type AccountEvent,
  asksAboutProof,
  contractMessages,
  decisionLabel,
  isAccountEvent,
  type Locale,
  type MessageEvent,
  nearestLocale,
  type ProofDecision,
  type ProofRecord,
  personName,
  type SessionStatus,
  sentence,
  type Unit,
} from '@pdf2press/contract';
import { type ComposedMessage, composeMessage, eventText, type MailBrand, ownLink } from '@pdf2press/mail';
import { type SubscriberContext, storedAs, type Transaction } from '@pdf2press/prisma';
import {
  evaluateRules,
  type Facts,
  factsOf,
  loadRegularExpressions,
  namesIn,
  needsRegularExpressions,
  oneLine,
  type Reader,
  resolvePlaceholders,
  sessionFacts,
} from '@pdf2press/settings';
import { addressesIn, type CommunicationProfile, languageOf } from '@pdf2press/steps/communication-profile';
import { openRules, stepFacts } from '@pdf2press/steps/facts';
import type { EngineDeps } from '../../deps.ts';
import { type ProofRow, readProof, readProofs, settingsOf } from '../../proofs/proof-row.ts';
import type { Deletion, Refusal } from '../../sessions/announce.ts';
import { peopleOf } from '../../sessions/assignees.ts';
import { decideOrganization } from '../../sessions/decide-organization.ts';
import { knownOfPast } from '../../steps/evaluate-session.ts';
import { readerOf } from '../../steps/held-session.ts';
import { loadVersion } from '../../workflows/definition.ts';
import type { ChatMessage } from '../chat/contract.ts';
import { messageNames, proofFacts, typeOf, withFacts } from '../proof-facts.ts';
import { sampleAccountMail } from './account-mail.ts';
import { readBrand, readLogo, type StoredBrand } from './brand.ts';

/** To so many one event is written at most: a variable may hold a whole address book. */
export const mostReaders = 50;

/** What is written about, and what is not in the session's row any more, or not only there. */
export interface About {
  /** Null = of a file that was refused: `refusal` tells what is known of it. */
  sessionId: string | null;
  event: MessageEvent;
  refusal?: Refusal;
  status?: SessionStatus;
  proofId?: string;
  failure?: { code: string; params: Record<string, unknown> };
  deletion?: Deletion;
}

/** Somebody who is written to. */
export interface MessageReader {
  email: string;
  name: string;
  /** Null = not known. */
  locale: Locale | null;
  /** `asked`: about a proof, by a link of their own. People of the house do not see who else is written to. */
  as: 'to' | 'cc' | 'bcc' | 'person' | 'asked';
}

/** A message that is ready to be written to whoever reads it. */
export interface PreparedEvent {
  /** Whether the rules of the profile hold. */
  isSent: boolean;
  /** Addresses and people of the profile. */
  readers: MessageReader[];
  brand: StoredBrand;
  proof: ProofRow | null;
  unit: Unit;
  /** Of the session; null where the product's address is not known. */
  page: string | null;
  timeZone: string;
  /** What is known, whoever reads it. */
  facts: Facts;
  /** The number that the sender's own system has for the session. */
  externalId: string | null;
  localeOf(reader: MessageReader): Locale;
  compose(reader: MessageReader, locale: Locale, logo: string | null): ComposedMessage;
}

/** The comment to a decision, with what was said of each page, in the reader's language. */
function commentFact(proof: ProofRow | null, locale: Locale): Record<string, unknown> {
  const record = storedAs<ProofRecord | null>(proof?.decisions.at(-1)?.record ?? null);
  const declined = record?.pages?.filter(({ decision }) => decision === 'Declined') ?? [];
  if (!record || declined.length === 0) return {};
  const said = declined.map(({ page, reason }) =>
    sentence(contractMessages, locale, 'proof.pageSaid', { page, reason }),
  );
  return { 'proof.comment': [record.comment || record.reason, ...said].filter(Boolean).join('\n') };
}

/** What the two answers are called in a language, and the one that was given. */
function answerFacts(proof: ProofRow | null, locale: Locale): Record<string, unknown> {
  if (!proof) return {};
  const called = (decision: ProofDecision) =>
    decisionLabel(settingsOf(proof), decision, locale) ?? sentence(contractMessages, locale, answerWords[decision]);
  const record = storedAs<ProofRecord | null>(proof.decisions.at(-1)?.record ?? null);
  const isByDeadline = record !== null && record.decision !== 'Expired' && !record.email && !record.onBehalf;
  return {
    ...(isByDeadline && { 'proof.decidedBy': sentence(contractMessages, locale, 'proof.byDeadline') }),
    'proof.approve': called('Approved'),
    'proof.decline': called('Declined'),
    'proof.answer': record && record.decision !== 'Expired' ? (record.label ?? called(record.decision)) : null,
  };
}
const answerWords = { Approved: 'proof.approve', Declined: 'proof.decline' } as const;

/** What goes, in a language, and when. */
const deletionFacts = ({ parts, at, days }: Deletion, locale: Locale): Record<string, unknown> => ({
  'retention.files': parts.map((part) => sentence(contractMessages, locale, `retention.${part}`)).join(', '),
  'retention.deletedAt': at,
  'retention.days': days,
});

async function readersOf(
  tx: Transaction,
  settings: CommunicationProfile['events'][MessageEvent],
  { facts, reader, organizationId }: { facts: Facts; reader: Reader; organizationId: string | null },
): Promise<MessageReader[]> {
  const addressed = (['to', 'cc', 'bcc'] as const).flatMap((as) =>
    settings[as]
      .flatMap((text) => addressesIn(oneLine(resolvePlaceholders(text, facts, reader))))
      .map((email): MessageReader => ({ email: email.toLowerCase(), name: email, locale: null, as })),
  );
  const ids = settings.people.map(({ id }) => id);
  const people = ids.length === 0 ? [] : await peopleOf(tx, { to: { ids }, organizationId });
  const all = [
    ...addressed,
    ...people.map(
      (person): MessageReader => ({
        email: person.email.toLowerCase(),
        name: personName(person),
        locale: nearestLocale(person.locale),
        as: 'person',
      }),
    ),
  ];
  return all.filter(({ email }, at) => all.findIndex((other) => other.email === email) === at);
}

/** What is known of what is written about, whether there is a session of it or not. */
interface Known {
  facts: Facts;
  reader: Reader;
  isSent: boolean;
  page: string | null;
  brand: StoredBrand;
  organizationId: string | null;
  proof: ProofRow | null;
  failure: About['failure'] | null;
  externalId: string | null;
}

/** @throws ProblemError `resource.notFound` where there is no such session any more */
async function knownOfSession(
  deps: EngineDeps,
  context: SubscriberContext,
  settings: CommunicationProfile['events'][MessageEvent],
  about: About & { sessionId: string },
): Promise<Known> {
  const { sessionId, event } = about;
  const past = await knownOfPast(deps, context, { sessionId });
  const { subscriberId } = past.session;
  const texts = [
    ...Object.values(settings.texts).flatMap((text) => [text.subject, text.text, text.html]),
    ...[past.reader.locale].flatMap((locale) => Object.values(eventText(event, locale))),
    ...settings.to,
    ...settings.cc,
    ...settings.bcc,
  ];
  const { facts } = await stepFacts(past, [...texts.flatMap(namesIn), 'session.url', 'session.finishedAt']);
  const rules = await openRules(past, [settings.when]);
  const isSent = settings.when.rules.length === 0 || rules(settings.when).verdict;
  const page = deps.app ? `${deps.app.baseUrl}/workflows/session/${sessionId}` : null;
  return deps.database.withSubscriber(context, async (tx) => {
    const session = await tx.session.findUniqueOrThrow({
      where: { id: sessionId },
      select: { organizationId: true, status: true, errorCode: true, errorParams: true, externalId: true },
    });
    const proof = about.proofId ? await readProof(tx, about.proofId) : ((await readProofs(tx, sessionId))[0] ?? null);
    const { organizationId } = session;
    const brand = await readBrand(tx, { subscriberId, organizationId, title: deps.app?.title ?? '' });
    const failure =
      about.failure ??
      (session.errorCode === null
        ? null
        : { code: session.errorCode, params: storedAs<Record<string, unknown>>(session.errorParams ?? {}) });
    const status = about.status ?? session.status;
    const all = withFacts(facts, {
      ...proofFacts(proof, page),
      'session.status': status,
      ...(facts.get('org.name')?.value ? {} : { 'org.name': brand.name }),
    });
    const { externalId } = session;
    return { facts: all, reader: past.reader, isSent, page, brand, organizationId, proof, failure, externalId };
  });
}

/** What is known of a file that was refused: of its workflow, and of itself what was seen of it. It has no values of variables. */
async function knownOfRefusal(
  deps: EngineDeps,
  { subscriberId }: { subscriberId: string },
  settings: CommunicationProfile['events'][MessageEvent],
  { refusal, failure }: { refusal: Refusal; failure: About['failure'] | null },
): Promise<Known> {
  const now = new Date(refusal.at);
  const { workflow, organizationId, brand, reader } = await deps.database.withSubscriber(
    { subscriberId },
    async (tx) => {
      const version = await loadVersion(tx, refusal.versionId);
      const { organizationId: id } = await decideOrganization(tx, { workflowId: version.workflowId });
      return {
        workflow: version,
        organizationId: id,
        brand: await readBrand(tx, { subscriberId, organizationId: id, title: deps.app?.title ?? '' }),
        reader: await readerOf(tx, subscriberId),
      };
    },
  );
  const values = {
    'workflow.name': workflow.workflowName,
    'workflow.id': workflow.workflowId,
    'workflow.version': workflow.no,
    'session.source': refusal.source,
    'session.sourceName': refusal.sourceName,
    'file.name': refusal.fileName,
    'file.originalName': refusal.fileName,
    'file.sizeBytes': refusal.size,
    'org.name': brand.name,
    'org.id': organizationId,
    'org.color': brand.color,
  };
  const facts = sessionFacts({ values, variables: [], handed: {}, reader, now });
  const { unit, timeZone } = reader;
  const regular = needsRegularExpressions(settings.when) ? await loadRegularExpressions() : null;
  const rules = { facts, pageCount: 0, now, unit, timeZone, regular };
  const isSent = settings.when.rules.length === 0 || evaluateRules(settings.when, rules).verdict;
  const page = deps.app ? `${deps.app.baseUrl}/arrivals` : null;
  return { facts, reader, isSent, page, brand, organizationId, proof: null, failure, externalId: null };
}

/**
 * Everything that a profile's message about a session, or about a file that was refused, is made of, read once for all of its
 * readers.
 * @throws ProblemError `resource.notFound` where there is no such session any more
 */
export async function prepareEvent(
  deps: EngineDeps,
  context: SubscriberContext & { subscriberId: string },
  profile: CommunicationProfile,
  about: About,
): Promise<PreparedEvent> {
  const { sessionId, event, refusal, failure: told = null } = about;
  const settings = profile.events[event];
  const { facts, reader, isSent, page, brand, organizationId, proof, failure, externalId } =
    sessionId === null && refusal
      ? await knownOfRefusal(deps, context, settings, { refusal, failure: told })
      : await knownOfSession(deps, context, settings, { ...about, sessionId: sessionId ?? '' });
  const readers = await deps.database.withSubscriber(context, (tx) =>
    readersOf(tx, settings, { facts, reader, organizationId }),
  );
  return {
    isSent,
    readers,
    brand,
    proof,
    page,
    facts,
    externalId,
    timeZone: reader.timeZone,
    unit: reader.unit,
    localeOf: ({ locale }) => languageOf(profile, { recipient: locale, house: brand.locale ?? reader.locale }),
    compose: (to, locale, logo) => {
      const isAsked = to.as === 'asked';
      const own = withFacts(facts, {
        ...commentFact(proof, locale),
        ...answerFacts(proof, locale),
        'recipient.name': to.name,
        'recipient.email': to.email,
        'failure.reason': failure && sentence(contractMessages, locale, failure.code, failure.params),
        ...(about.deletion && deletionFacts(about.deletion, locale)),
        ...(isAsked && { 'proof.url': ownLink }),
      });
      return composeMessage({
        texts: settings.texts[locale] ?? eventText(event, locale),
        facts: own,
        reader: { ...reader, locale },
        brand: { name: brand.name, color: brand.color, logo },
        link: isAsked ? ownLink : page,
      });
    },
  };
}

/** A message as a channel shows it. Its readers are of the house: where a mail has no button, it leads to the session. */
export function chatMessageOf(
  { subject, paragraphs, link }: ComposedMessage,
  { page, locale }: { page: string | null; locale: Locale },
): ChatMessage {
  const usual = page === null ? null : { text: sentence(contractMessages, locale, 'chat.openSession'), href: page };
  const shown = link ?? usual;
  return { title: subject, text: paragraphs.join('\n'), ...(shown && { link: shown }) };
}

/** A message as the form shows it. */
export interface DrawnMessage extends ComposedMessage {
  /** Whom it would be written to, and whether; null without a session. */
  recipients: string[] | null;
  isSent: boolean | null;
  brand: StoredBrand;
}

interface Drawing {
  profile: CommunicationProfile;
  event: MessageEvent | AccountEvent;
  locale: Locale;
  /** Null = with the values of examples, which what is about no session always has. */
  sessionId: string | null;
  subscriberId: string;
  /** Where the picture lies: in the page itself, or beside it in the message. */
  logo: 'inside' | 'attached';
}

/** What a session's values are where there is none. */
const examples = messageNames.list.map(({ name, variable }) => [name, variable.example] as const);

/**
 * A message as a profile makes it, with a session's values or those of examples: the same functions as when it is sent.
 * Nothing is written, and the link that would be the recipient's own leads nowhere.
 * @throws ProblemError `resource.notFound`
 */
export async function drawMessage(
  deps: EngineDeps,
  context: SubscriberContext,
  { profile, event, locale, sessionId, subscriberId, logo: place }: Drawing,
): Promise<DrawnMessage> {
  const title = deps.app?.title ?? '';
  const ofAccount = isAccountEvent(event);
  // A file that was refused has no session, and neither has an account.
  const prepared =
    sessionId === null || ofAccount || event === 'Rejected'
      ? null
      : await prepareEvent(deps, { ...context, subscriberId }, profile, { sessionId, event });
  const brand =
    prepared?.brand ??
    (await deps.database.withSubscriber(context, (tx) => readBrand(tx, { subscriberId, organizationId: null, title })));
  const picture = await readLogo(deps, subscriberId, brand.logo);
  const logo =
    picture === undefined
      ? null
      : place === 'attached'
        ? 'cid:logo'
        : `data:${picture.contentType};base64,${picture.content.toString('base64')}`;
  const shownLink = `${deps.app?.baseUrl ?? ''}/${ofAccount ? 'reset-password#token=' : 'client-proofing/'}…`;
  const shown = (words: string) => words.replaceAll(ownLink, shownLink);
  const linked = ({ subject, text, html, paragraphs, link }: ComposedMessage): ComposedMessage => ({
    subject,
    text: shown(text),
    html: shown(html),
    paragraphs: paragraphs.map(shown),
    link: link && { ...link, href: shown(link.href) },
  });
  const unsent = { recipients: null, isSent: null, brand };
  if (ofAccount) return { ...linked(sampleAccountMail(profile, { event, locale, brand, logo, title })), ...unsent };
  const asked = asksAboutProof(event);
  if (!prepared)
    return {
      ...linked(
        sample({
          profile,
          event,
          locale,
          brand: { ...brand, logo },
          title,
          link: asked ? ownLink : `${deps.app?.baseUrl ?? ''}/workflows/session/…`,
        }),
      ),
      ...unsent,
    };
  const pending = asked ? (prepared.proof?.recipients ?? []) : [];
  const first = prepared.readers[0] ?? { email: 'ana@example.com', name: 'Ana Lima', locale, as: 'to' as const };
  return {
    ...linked(prepared.compose(asked ? { ...first, as: 'asked' } : first, locale, logo)),
    recipients: [...pending.map(({ email }) => email), ...prepared.readers.map(({ email }) => email)],
    isSent: prepared.isSent,
    brand,
  };
}

function sample({
  profile,
  event,
  locale,
  brand,
  title,
  link,
}: Pick<Drawing, 'profile' | 'locale'> & {
  event: MessageEvent;
  brand: MailBrand;
  title: string;
  link: string;
}): ComposedMessage {
  const facts = factsOf(
    Object.fromEntries([
      ...examples,
      ['org.name', brand.name],
      ['app.title', title],
      ...(asksAboutProof(event) ? [['proof.url', ownLink] as const] : []),
    ]) as Parameters<typeof factsOf>[0],
    typeOf,
  );
  return composeMessage({
    texts: profile.events[event].texts[locale] ?? eventText(event, locale),
    facts,
    reader: { locale, unit: 'Millimeters', timeZone: 'UTC' },
    brand,
    link,
  });
}
