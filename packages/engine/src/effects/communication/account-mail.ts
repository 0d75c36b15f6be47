import { randomUUID } from 'node:crypto';
import { type AccountEvent, type Locale, nearestLocale, personName } from '@pdf2press/contract';
import { accountTemplates, accountText, type ComposedMessage, composeMessage, ownLink } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import { type Facts, factsOf, knownNames } from '@pdf2press/settings';
import {
  type CommunicationProfile,
  communicationProfileSchema,
  languageOf,
} from '@pdf2press/steps/communication-profile';
import type { EngineDeps } from '../../deps.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { keepSecret } from '../../secrets/keep-secret.ts';
import { readSettings } from '../../secrets/settings.ts';
import { readerOf } from '../../steps/held-session.ts';
import type { PayloadOf } from '../catalogue.ts';
import { enqueueEffect } from '../enqueue.ts';
import { linkPurpose } from '../mail/contract.ts';
import { queueMail, type Reader } from '../mail/queue-mail.ts';
import { readBrand, type StoredBrand } from './brand.ts';

/** The names that a message about an account may use. */
const accountNames = knownNames({ scope: 'account' });
type Names = Parameters<typeof factsOf>[0];
const accountFacts = (values: Names): Facts => factsOf(values, (name) => accountNames.get(name)?.type);

/** A link that lets its holder in: it is stored encrypted until the message is sent. */
interface SecretLink {
  url: string;
  /** From now on. */
  minutes: number;
}

/** A message to a person about their account or their membership. */
export interface AccountMail {
  event: AccountEvent;
  reader: Reader;
  /** Where it leads: a secret, or a page of the product by its path. */
  link: SecretLink | { path: string };
  /** Whose member the reader becomes. */
  organization?: { id: string; name: string };
  /** The same cause, event and reader make one message, whosever words it has. Without a cause every call makes one. */
  cause?: string;
  /** The look of the product's own message; absent = as the product's. */
  sender?: Pick<PayloadOf<'mail'>, 'brand' | 'logo' | 'fromName' | 'replyTo'>;
}

/** The communication profile that the house's settings name for messages about accounts, as it is now; null = none. */
async function profileOfAccounts(tx: Transaction, profileId: string): Promise<CommunicationProfile | null> {
  if (profileId === '') return null;
  const profile = await tx.profile.findFirst({ where: { id: profileId, kind: 'communication', deletedAt: null } });
  if (!profile) return null;
  const version = await tx.profileVersion.findFirst({ where: { profileId, no: profile.currentNo } });
  return communicationProfileSchema.safeParse(version?.settings).data ?? null;
}

/** A message about an account in the words of a profile, or the product's where that has none in the language. */
function composed(
  profile: CommunicationProfile,
  {
    event,
    locale,
    facts,
    brand,
    logo,
    timeZone,
  }: {
    event: AccountEvent;
    locale: Locale;
    facts: Facts;
    brand: Omit<StoredBrand, 'logo'>;
    logo: string | null;
    timeZone: string;
  },
): ComposedMessage {
  return composeMessage({
    texts: profile.accounts[event].texts[locale] ?? accountText(event, locale),
    facts,
    // Nothing about an account has a length.
    reader: { locale, unit: 'Millimeters', timeZone },
    brand: { ...brand, logo },
    link: ownLink,
  });
}

/**
 * Records a message about an account in the transaction of its cause: in the words and the look of the communication profile that
 * the house's settings name, else as the product's own message. The link stands in neither: it is filled in when the message is
 * sent.
 */
export async function queueAccountMail(
  tx: Transaction,
  { deps, keys }: { deps: EngineDeps; keys: InstanceKeys },
  { event, reader, link, organization, cause = randomUUID(), sender }: AccountMail,
): Promise<void> {
  const { subscriberId, email } = reader;
  const template = accountTemplates[event];
  const secret = 'url' in link ? link : null;
  const { mailSettings } = await readSettings(tx, subscriberId);
  const profile = await profileOfAccounts(tx, mailSettings.accountProfileId);
  if (!profile) {
    const params = {
      ...(secret && { link: secret.url, minutes: secret.minutes }),
      ...(organization && { organization: organization.name }),
    };
    return queueMail(tx, keys, {
      reader,
      template,
      params,
      cause,
      ...('path' in link && { path: link.path }),
      ...(sender && { sender }),
    });
  }
  // The product's own message has the same name: whoever was written to in its words is not written to again.
  const key = `mail ${cause} ${template} ${email}`;
  if ((await tx.effect.count({ where: { subscriberId, key } })) > 0) return;
  const title = deps.app?.title ?? '';
  const brand = await readBrand(tx, { subscriberId, organizationId: organization?.id ?? null, title });
  const house = await readerOf(tx, subscriberId);
  const locale = languageOf(profile, {
    recipient: nearestLocale(reader.locale),
    house: brand.locale ?? house.locale,
  });
  const facts = accountFacts({
    'user.name': personName(reader),
    'org.name': organization?.name ?? brand.name,
    'app.title': title,
    'link.url': ownLink,
    'link.minutes': secret?.minutes,
    'link.expiresAt': secret ? new Date(Date.now() + secret.minutes * 60_000) : undefined,
  });
  const logo = brand.logo === null ? null : 'cid:logo';
  const { subject, text, html } = composed(profile, { event, locale, facts, brand, logo, timeZone: house.timeZone });
  const replyTo = profile.replyTo || brand.replyTo;
  await enqueueEffect(tx, {
    kind: 'mail',
    key,
    subscriberId,
    payload: {
      template: 'message',
      to: email,
      name: personName(reader),
      locale,
      params: {},
      content: { subject, text, html },
      fromName: profile.fromName || brand.name,
      ...(replyTo && { replyTo }),
      ...(brand.logo !== null && { logo: brand.logo }),
      ...(secret
        ? { linkSecretId: await keepSecret(tx, keys, { subscriberId, purpose: linkPurpose, text: secret.url }) }
        : 'path' in link && { path: link.path }),
    },
  });
}

/**
 * A message about an account with the values of examples, as the form shows it; `ownLink` stands where the link will.
 * @param logo address of the picture; null = the house's name in letters
 */
export const sampleAccountMail = (
  profile: CommunicationProfile,
  {
    event,
    locale,
    brand,
    logo,
    title,
  }: { event: AccountEvent; locale: Locale; brand: StoredBrand; logo: string | null; title: string },
): ComposedMessage =>
  composed(profile, {
    event,
    locale,
    brand,
    logo,
    timeZone: 'UTC',
    facts: accountFacts(
      Object.fromEntries([
        ...accountNames.list.map(({ name, variable }) => [name, variable.example] as const),
        ['org.name', brand.name],
        ['app.title', title],
        ['link.url', ownLink],
      ]) as Names,
    ),
  });
