import { certificateEnd, type MailEnvironment, portOf } from '@pdf2press/mail';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { z } from 'zod';
import type { EngineDeps } from '../deps.ts';
import type { Cause, HouseAlarm, HouseState, SubscriberAlarm } from './alarm.ts';

/** The key of what is known of the certificates of mail servers. */
export const certificateFact = 'mail.certificates';

const factSchema = z
  .object({
    /** By host and port: until when the certificate is valid, and when that was read. */
    servers: z.record(z.string(), z.object({ until: z.iso.datetime(), readAt: z.iso.datetime() })),
    /** That of the installation. */
    house: z.string().nullable(),
  })
  .catch({ servers: {}, house: null });
export type KnownCertificates = z.infer<typeof factSchema>;

export const readCertificates = (value: unknown): KnownCertificates => factSchema.parse(value);

const day = 86_400_000;
interface Server {
  host: string;
  port: number;
  enableSsl: boolean;
}
const nameOf = (server: Server): string => `${server.host.trim().toLowerCase()}:${portOf(server)}`;

/** The servers with a certificate that subscribers have set; those of which subscribers is for the caller to say. */
const readServers = (tx: Transaction, whose: Prisma.Sql): Promise<Server[]> => tx.$queryRaw<Server[]>`
  select distinct smtp_settings ->> 'host' as host, coalesce((smtp_settings ->> 'port')::int, 0) as port, true as "enableSsl"
    from system_settings
   where smtp_settings ->> 'host' <> '' and (smtp_settings ->> 'enableSsl')::boolean and ${whose}`;

const ofActive = Prisma.sql`subscriber_id in (select id from subscribers where is_active)`;
const ofCurrent = Prisma.sql`subscriber_id = current_subscriber()`;

/**
 * Reads until when the certificates of all mail servers are valid, each once a day. A server that does not answer is asked
 * again the next time, and what was known of it stays.
 */
export async function lookAtCertificates(deps: EngineDeps, environment: MailEnvironment): Promise<void> {
  const { hostServer } = environment;
  const house = hostServer?.enableSsl ? hostServer : undefined;
  const { fact, servers } = await deps.database.asHost(async (tx) => ({
    fact: await tx.hostFact.findUnique({ where: { key: certificateFact } }),
    servers: [...(house ? [house] : []), ...(await readServers(tx, ofActive))],
  }));
  const known = readCertificates(fact?.value);
  const next: KnownCertificates = { servers: {}, house: house ? nameOf(house) : null };
  for (const server of servers) {
    const name = nameOf(server);
    const before = known.servers[name];
    if (before) next.servers[name] = before;
    if (before && Date.now() - Date.parse(before.readAt) < day) continue;
    try {
      const until = await certificateEnd(environment, server);
      next.servers[name] = { until: until.toISOString(), readAt: new Date().toISOString() };
    } catch (error) {
      deps.log?.({ level: 'info', event: 'mail.certificate', data: { server: name }, error });
    }
  }
  await deps.database.asHost((tx) =>
    tx.hostFact.upsert({
      where: { key: certificateFact },
      create: { key: certificateFact, value: next },
      update: { value: next, updatedAt: new Date() },
    }),
  );
}

/** Told so many days ahead, and once more when few are left. */
const ahead = 30;
const few = 7;

function causesOf({ certificates }: HouseState, name: string | null): Cause[] {
  const until = name === null ? undefined : certificates.servers[name]?.until;
  if (name === null || until === undefined) return [];
  const days = (Date.parse(until) - Date.now()) / day;
  if (days >= ahead) return [];
  const params = { host: name.replace(/:\d+$/, ''), day: until.slice(0, 10) };
  return days < few ? [{ id: `${name} soon`, severity: 'Error', params }] : [{ id: name, params }];
}

const shared = { severity: 'Warning', leads: '/settings?tab=mail' } as const;

/** Of a subscriber's own mail server. */
export const certificateEnding: SubscriberAlarm = {
  ...shared,
  of: 'subscriber',
  tells: 'settings.smtp.manage',
  look: async (tx, state) => {
    const servers = await readServers(tx, ofCurrent);
    return servers.flatMap((server) => causesOf(state, nameOf(server)));
  },
};

/** Of the mail server that the environment names. */
export const houseCertificateEnding: HouseAlarm = {
  ...shared,
  of: 'house',
  look: (state) => causesOf(state, state.certificates.house),
};
