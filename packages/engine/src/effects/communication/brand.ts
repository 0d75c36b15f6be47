import { buffer } from 'node:stream/consumers';
import { type Locale, nearestLocale } from '@pdf2press/contract';
import type { MailBrand } from '@pdf2press/mail';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { readSettings } from '../../secrets/settings.ts';

/** How messages look, and where the picture is read when one is sent. */
export interface StoredBrand extends Omit<MailBrand, 'logo'> {
  /** SHA-256 of the organization's logo, or `house`; null = the name in letters. */
  logo: string | null;
  /** Where the organization wants answers; empty = nowhere in particular. */
  replyTo: string;
  /** The organization's language; null = the house's. */
  locale: Locale | null;
}

/** Whose message it is: the organization's, of a session for example, else the house's. */
export async function readBrand(
  tx: Transaction,
  { subscriberId, organizationId, title }: { subscriberId: string; organizationId: string | null; title: string },
): Promise<StoredBrand> {
  const organization =
    organizationId === null
      ? null
      : await tx.organization.findUnique({
          where: { id: organizationId },
          select: { name: true, color: true, emailLogoSha256: true, pageLogoSha256: true, options: true },
        });
  if (organization) {
    const { name, color, emailLogoSha256, pageLogoSha256, options } = organization;
    const { replyTo = '', culture = '' } = storedAs<{ replyTo?: string; culture?: string }>(options);
    const locale = culture === '' ? null : nearestLocale(culture);
    return { name, color, logo: emailLogoSha256 ?? pageLogoSha256, replyTo, locale };
  }
  const { houseSettings: house } = await readSettings(tx, subscriberId);
  const logo = house.logo === '' ? null : 'house';
  return { name: house.name || title, color: house.color || null, logo, replyTo: '', locale: null };
}

/** The picture of a brand as it goes into a message; undefined where there is none, or none any more. */
export async function readLogo(
  { database, storage }: EngineDeps,
  subscriberId: string,
  logo: string | null | undefined,
): Promise<{ content: Buffer; contentType: string } | undefined> {
  if (!logo) return undefined;
  if (logo === 'house') {
    const { houseSettings } = await database.withSubscriber({ subscriberId }, (tx) => readSettings(tx, subscriberId));
    const [head = '', data = ''] = houseSettings.logo.split(',');
    const contentType = head.replace(/^data:|;base64$/g, '');
    return data === '' ? undefined : { content: Buffer.from(data, 'base64'), contentType };
  }
  const blob = { subscriberId, sha256: logo };
  if ((await storage.sizeOf(blob)) === undefined) return undefined;
  return { content: await buffer(await storage.open(blob)), contentType: 'image/png' };
}
