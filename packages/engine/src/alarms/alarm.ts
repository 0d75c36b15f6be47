import type { Permission, Release } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { Room } from '@pdf2press/storage';

/** What fills the words and the address of a notification. */
export type NoticeParams = Readonly<Record<string, unknown>>;

/** One thing that is wrong, for as long as it is. */
export interface Cause {
  /** The same as long as it is the same thing: the id of a connection, of a workflow. */
  id: string;
  /** Fill the words and the address. `fault` and `faultParams` are a code of the contract, shown as `{reason}`. */
  params: NoticeParams;
  /** Where it is worse than its kind. */
  severity?: 'Error';
}

/** How the installation as a whole is, read once for all subscribers. Ages are in seconds; null = never heard of. */
export interface HouseState {
  /** Since a worker last looked for work. */
  workerAge: number | null;
  /** Since an intake last went round its sources. */
  intakeAge: number | null;
  /** Whether a step has waited for a quarter of an hour that a worker could have begun. */
  isWorkLate: boolean;
  /** Of the store; undefined = it has no limit that is known. */
  room: Room | undefined;
  backup: { isGood: boolean; goodAge: number | null } | null;
  /** Of mail servers, by host and port, and which of them is that of the installation. */
  certificates: { servers: Readonly<Record<string, { until: string }>>; house: string | null };
  /** The release that runs; undefined = the process that looks does not know it. */
  version: string | undefined;
  /** Whether newer versions are asked for, and the newest that was heard of. */
  releases: { isOn: boolean; newest: Release | null };
}

interface Shared {
  severity: 'Info' | 'Warning' | 'Error';
  /** The page where it is put right, filled with the parameters of the cause. */
  leads: string;
}

/** Of one subscriber: everybody with the permission is told. */
export interface SubscriberAlarm extends Shared {
  of: 'subscriber';
  tells: Permission;
  /** What is wrong now. The transaction is the subscriber's. */
  look(tx: Transaction, state: HouseState): Promise<Cause[]>;
}

/** Of the installation: its administrators are told. */
export interface HouseAlarm extends Shared {
  of: 'house';
  look(state: HouseState): Cause[];
}

export type Alarm = SubscriberAlarm | HouseAlarm;
