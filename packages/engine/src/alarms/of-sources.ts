import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { Cause, NoticeParams, SubscriberAlarm } from './alarm.ts';

/** Sources that were to be polled this long ago belong to workflows that are switched off. */
const abandoned = Prisma.sql`interval '1 hour'`;
/** A source that fails for less time is tried again, and nobody needs to know. */
const patience = Prisma.sql`interval '10 minutes'`;

const signInNeeded = 'source.signInNeeded';

interface Failing {
  id: string;
  name: string;
  fault: string;
  faultParams: NoticeParams | null;
}

const causesOf = (rows: readonly Failing[]): Cause[] =>
  rows.map(({ id, name, fault, faultParams }) => ({
    id,
    params: { id, name, fault, ...(faultParams && { faultParams }) },
  }));

/** Connections of a kind with a source that fails, each with the fault that came first. */
const failingConnections = async (tx: Transaction, kind: string, failing: Prisma.Sql): Promise<Cause[]> =>
  causesOf(
    await tx.$queryRaw<Failing[]>`
      select distinct on (profile.id) profile.id, profile.name, inlet.error_code as fault,
             inlet.error_params as "faultParams"
        from inlets inlet
        join profiles profile on profile.subscriber_id = inlet.subscriber_id and profile.id = inlet.connection_id
       where profile.kind = ${kind} and profile.deleted_at is null and profile.is_enabled
         and inlet.due_at > clock_timestamp() - ${abandoned} and inlet.failing_since is not null and ${failing}
       order by profile.id, inlet.failing_since, inlet.id`,
  );

const hasFailed = Prisma.sql`inlet.failing_since < clock_timestamp() - ${patience}`;

const isUnsigned = Prisma.sql`inlet.error_code = ${signInNeeded}`;
const failsOtherwise = Prisma.sql`${hasFailed} and inlet.error_code is distinct from ${signInNeeded}`;

const ofMailboxes = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'inboundEmail.view',
  leads: '/email/edit/{id}',
} as const;
const ofCloudStorages = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'cloudStorage.view',
  leads: '/cloud-storage/edit/{id}',
} as const;

export const mailboxFailing: SubscriberAlarm = {
  ...ofMailboxes,
  look: (tx) => failingConnections(tx, 'inboundEmail', failsOtherwise),
};

/** Told at once: it does not mend itself. */
export const mailboxSignInMissing: SubscriberAlarm = {
  ...ofMailboxes,
  look: (tx) => failingConnections(tx, 'inboundEmail', isUnsigned),
};

/** Told at once as well. */
export const signInMissing: SubscriberAlarm = {
  ...ofCloudStorages,
  look: (tx) => failingConnections(tx, 'cloudStorage', isUnsigned),
};

export const cloudFolderFailing: SubscriberAlarm = {
  ...ofCloudStorages,
  look: (tx) => failingConnections(tx, 'cloudStorage', failsOtherwise),
};

export const sftpServerFailing: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'sftpServer.view',
  leads: '/sftp-servers/edit/{id}',
  look: (tx) => failingConnections(tx, 'sftpServer', hasFailed),
};

export const hotFolderFailing: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'workflows.view',
  leads: '/workflows/edit/{id}',
  look: async (tx) =>
    causesOf(
      await tx.$queryRaw<Failing[]>`
        select distinct on (workflow.id) workflow.id, workflow.name, inlet.error_code as fault,
               inlet.error_params as "faultParams"
          from inlets inlet
          join workflows workflow on workflow.subscriber_id = inlet.subscriber_id and workflow.id = inlet.workflow_id
         where inlet.connection_id is null and workflow.deleted_at is null and workflow.is_enabled
           and inlet.due_at > clock_timestamp() - ${abandoned} and ${hasFailed}
         order by workflow.id, inlet.failing_since, inlet.id`,
    ),
};
