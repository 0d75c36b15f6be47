import { createReadStream } from 'node:fs';
import { DeliveryFaultError, type Locale, nearestLocale } from '@pdf2press/contract';
import type { DeliveryMessage, MailTools } from '@pdf2press/deliveries/runners';
import {
  BlockedHostError,
  composeDelivery,
  isAddress,
  type Mail,
  type MailEnvironment,
  type SmtpServer,
  sendMail,
  UndeliveredError,
  verifyServer,
} from '@pdf2press/mail';
import { factsOf, namesIn, oneLine, resolvePlaceholders } from '@pdf2press/settings';
import { addressesIn } from '@pdf2press/steps/communication-profile';
import { stepFacts } from '@pdf2press/steps/facts';
import type { EngineDeps } from '../../deps.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { readSettings, smtpServerOf } from '../../secrets/settings.ts';
import { knownOfPast } from '../../steps/evaluate-session.ts';
import { readBrand, readLogo } from '../communication/brand.ts';
import { openFileLink } from './file-links.ts';

/** What mails of deliveries are sent with. */
export interface DeliveryMailer {
  keys: InstanceKeys;
  environment: MailEnvironment;
  title: string;
  /** The address that links begin with. */
  baseUrl: string;
}

/** What a delivery is about; a trial is about nothing. */
export interface DeliveredFile {
  sessionId: string;
  fileId: string;
  name: string;
  /** The key of the delivery. */
  cause: string;
}

interface About {
  subscriberId: string;
  /** The delivery, by which a message that comes back is known; a trial is none. */
  effectId?: string;
  file: DeliveredFile | null;
  trier: string | null;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 200) : '');

function faultOf(error: unknown): unknown {
  if (error instanceof BlockedHostError)
    return new DeliveryFaultError('delivery.hostBlocked', { host: error.message, port: 0 });
  if (error instanceof UndeliveredError)
    return new DeliveryFaultError(
      error.isFinal ? 'delivery.mailRefused' : 'delivery.unreachable',
      { text: textOf(error) },
      { cause: error },
    );
  return error;
}

/** The server that mails go through. @throws DeliveryFaultError `delivery.noMailServer` */
async function serverOf(
  deps: EngineDeps,
  { keys, environment }: DeliveryMailer,
  subscriberId: string,
): Promise<SmtpServer> {
  const own = await deps.database.withSubscriber({ subscriberId }, (tx) => smtpServerOf(tx, keys, subscriberId));
  const server = own ?? environment.hostServer;
  if (!server) throw new DeliveryFaultError('delivery.noMailServer');
  return server;
}

/** Whose message it is, and for which reader it is worded. */
async function frameOf(deps: EngineDeps, { title }: DeliveryMailer, { subscriberId, file }: About) {
  const context = { subscriberId };
  const past = file && (await knownOfPast(deps, context, { sessionId: file.sessionId }));
  return deps.database.withSubscriber(context, async (tx) => {
    const session =
      file && (await tx.session.findUnique({ where: { id: file.sessionId }, select: { organizationId: true } }));
    const brand = await readBrand(tx, { subscriberId, organizationId: session?.organizationId ?? null, title });
    const { culture } = await readSettings(tx, subscriberId);
    const locale: Locale = brand.locale ?? past?.reader.locale ?? nearestLocale(culture);
    return { past, brand, locale, timeZone: past?.reader.timeZone ?? 'UTC' };
  });
}

/** How a delivery of this subscriber writes mails. Everything is read when it is first asked for. */
export function mailToolsOf(deps: EngineDeps, mailer: DeliveryMailer, about: About): MailTools {
  const { subscriberId, file, effectId } = about;
  let kept: ReturnType<typeof frameOf> | undefined;
  const frame = () => (kept ??= frameOf(deps, mailer, about));
  const server = () => serverOf(deps, mailer, subscriberId);

  const send = async ({ to, shownTo, subject, text, file: enclosed, key }: DeliveryMessage) => {
    const { brand, locale, timeZone } = await frame();
    const logo = await readLogo(deps, subscriberId, brand.logo);
    const link = enclosed && 'link' in enclosed ? enclosed.link : null;
    const mail: Mail = {
      ...composeDelivery({
        subject,
        text,
        file: enclosed && { name: enclosed.name, size: enclosed.size, link },
        locale,
        timeZone,
        brand: { ...brand, logo: logo ? 'cid:logo' : null },
      }),
      to,
      shownTo,
      fromName: brand.name,
      // Short enough for one line of a header; within a delivery the beginning of the key tells its recipients apart.
      messageId: `<${effectId === undefined ? key : `${effectId}.${key.slice(0, 8)}`}@pdf2press>`,
      ...(brand.replyTo && { replyTo: brand.replyTo }),
      ...(logo && { logo }),
      ...(enclosed &&
        'path' in enclosed && {
          files: [
            {
              filename: enclosed.name,
              contentType: enclosed.mediaType,
              open: async () => createReadStream(enclosed.path),
            },
          ],
        }),
    };
    await sendMail(mailer.environment, { subscriberId, server: await server(), mail });
  };

  const tell = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw faultOf(error);
    }
  };

  return {
    trier: about.trier,
    fillIn: async (texts) => {
      const { past, locale } = await frame();
      if (!past || !file) return [...texts];
      const { facts } = await stepFacts(past, texts.flatMap(namesIn));
      const dot = file.name.lastIndexOf('.');
      // The file that goes out, under the name that it goes out with.
      const own = factsOf(
        { 'file.name': file.name, 'file.baseName': dot > 0 ? file.name.slice(0, dot) : file.name },
        () => 'String',
      );
      const all = new Map([...facts, ...own]);
      return texts.map((text) => resolvePlaceholders(text, all, { ...past.reader, locale }));
    },
    addressesIn: (text) => {
      const all = addressesIn(oneLine(text));
      return { good: all.filter(isAddress), bad: all.filter((each) => !isAddress(each)) };
    },
    openLink: async (days) => {
      if (!file) throw new DeliveryFaultError('delivery.fileGone');
      const { locale } = await frame();
      const { path, expiresAt } = await deps.database.withSubscriber({ subscriberId }, (tx) =>
        openFileLink(tx, mailer.keys, { ...file, subscriberId, locale, days }),
      );
      return { address: new URL(path, mailer.baseUrl).href, expiresAt };
    },
    verify: () =>
      tell(async () => {
        const to = await server();
        await verifyServer(mailer.environment, to).catch((error: unknown) => {
          if (error instanceof BlockedHostError) throw error;
          const isDenied = (error as { code?: unknown }).code === 'EAUTH';
          const params = isDenied ? { folder: to.host } : { text: textOf(error) };
          throw new DeliveryFaultError(isDenied ? 'delivery.denied' : 'delivery.unreachable', params, { cause: error });
        });
      }),
    send: (message) => tell(() => send(message)),
  };
}
