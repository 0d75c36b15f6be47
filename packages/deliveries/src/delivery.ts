import type { DeliveryCollision, DeliveryKind, DeliveryStage, MessageFiles } from '@pdf2press/contract';
import type { z } from 'zod';

/** The declaration of a way out, used by the form, the API and the engine; independent of how it runs and looks. */
export interface DeliveryContract {
  kind: DeliveryKind;
  /** The part in clear text: host, user name, folder. */
  settings: z.ZodObject;
  /** The settings that a trial of the target needs, where not all of them are known before it. */
  tried?: z.ZodObject;
  /** The part that is stored encrypted, all of it texts. */
  secret: z.ZodObject;
  /** Settings that say who is given the secret; a stored one is not sent anywhere else. */
  destination: readonly string[];
  /** What a trial tries, in this order. */
  stages: readonly DeliveryStage[];
  /** Path data of one stroked line drawing on a grid of 24 × 24, line width 1.8, round ends, as for steps. */
  icon: string;
  /** `label`, `help`, `settings.<name>`, `settings.<name>.hint`, `settings.<name>.<choice>`. */
  messages: MessageFiles;
}

/** Declares a kind and keeps its exact types. */
export const deliveryContract = <const C extends DeliveryContract>(contract: C): C => contract;

/** One message of a delivery. */
export interface DeliveryMessage {
  to: string;
  /** All who get it, as its reader sees them. */
  shownTo: readonly string[];
  subject: string;
  text: string;
  /** The file goes along, or the link leads to it; null = a trial, about no file. */
  file:
    | { name: string; size: number; path: string; mediaType: string }
    | { name: string; size: number; link: FileLink }
    | null;
  /** The same for every try, so that receivers can tell a repetition. */
  key: string;
}

/** A link by which whoever has it fetches one file, until it expires. */
export interface FileLink {
  address: string;
  expiresAt: Date;
}

/** How a delivery writes mails: through the mail server of the house. */
export interface MailTools {
  /** Who tries the target; null = nobody can be written to. */
  trier: string | null;
  /** The texts with the values of the session filled in. */
  fillIn(texts: readonly string[]): Promise<string[]>;
  /** The addresses in a text, and what is none. */
  addressesIn(text: string): { good: string[]; bad: string[] };
  /** The link to the delivered file; asked for again it is the same. */
  openLink(days: number): Promise<FileLink>;
  /** Connects to the mail server and signs in. @throws DeliveryFaultError */
  verify(): Promise<void>;
  /** @throws DeliveryFaultError */
  send(message: DeliveryMessage): Promise<void>;
}

/** A folder of a cloud storage. */
export interface CloudPlace {
  /** The drive or library; empty = the account's own. */
  driveId: string;
  folderId: string;
}

/** A file or folder of a cloud storage. */
export interface CloudItem {
  id: string;
  driveId: string;
  kind: 'file' | 'folder' | 'other';
  /** Bytes. */
  size: number;
  /** In hexadecimal digits, where the service tells it. */
  md5?: string | undefined;
}

/** The account of a cloud storage. All errors are faults of the delivery. */
export interface CloudAccount<Item extends CloudItem = CloudItem> {
  /** Undefined = it is gone, or lies in the bin. */
  find(driveId: string, id: string): Promise<Item | undefined>;
  /** What a folder has under a name; undefined = nothing. */
  named(place: CloudPlace, name: string): Promise<Item | undefined>;
  makeFolder(place: CloudPlace, name: string): Promise<string>;
  /** Stores a file under a name that nothing in the folder has. It is there when it is whole. */
  upload(
    place: CloudPlace,
    file: { name: string; size: number; mediaType: string; bytes: AsyncIterable<Uint8Array> },
  ): Promise<Item>;
  read(file: Item, from: number): Promise<AsyncIterable<Uint8Array>>;
  /** False = something in the folder has the name. */
  rename(file: Item, name: string): Promise<boolean>;
  /** Puts it into the service's bin. */
  remove(file: Item): Promise<void>;
}

export interface DeliveryTools {
  /** Folders of the server must be below this one. */
  root: string;
  /**
   * The address to connect to for a server that a setting names.
   * @throws DeliveryFaultError `delivery.hostBlocked`, `delivery.hostUnknown`
   */
  addressOf: (server: { host: string; port: number; scheme: 'http' | 'https' | 'sftp' }) => Promise<string>;
  mail: MailTools;
  /**
   * The account of a cloud storage of the house, connected and with the right to write.
   * @throws DeliveryFaultError `delivery.signInNeeded`
   */
  openCloud(connectionId: string): Promise<CloudAccount>;
}

/** A target as it is now, its secret in clear text. */
export interface OpenTarget<C extends DeliveryContract> {
  settings: z.output<C['settings']>;
  secret: z.output<C['secret']>;
  tools: DeliveryTools;
  signal: AbortSignal;
}

/** A file that was written whole under a temporary name, and the name that it gets next. */
export interface Placing {
  temporary: string;
  name: string;
}

/** What is delivered. */
export interface Parcel {
  /** `path` is a file of this machine; `size` in bytes. */
  file: { path: string; size: number; sha256: string; mediaType: string };
  /** Names of folders below that of the target, each clean. */
  folder: readonly string[];
  name: string;
  collision: DeliveryCollision;
  /** The same for every try of this delivery, and of no other. */
  key: string;
  /** Counts the tries, from 1. */
  tryNo: number;
  /** As an earlier try kept it. */
  placing: Placing | null;
  /** Who was written to by earlier tries. */
  sentTo: readonly string[];
  /**
   * Writes down what the next try must know, before it is done. Null = nothing.
   * @throws when this try is not the present one any more
   */
  keep(note: Placing | { sentTo: readonly string[] } | null): Promise<void>;
}

/** How a kind delivers. Repeated after a crash at any place, it leaves one file. */
export interface DeliveryRunner<C extends DeliveryContract> {
  /** @returns where the file lies, for people. @throws DeliveryFaultError */
  deliver(target: OpenTarget<C>, parcel: Parcel): Promise<string>;
  /**
   * Goes through the stages of the contract with a small file; tells of each before it begins.
   * @throws DeliveryFaultError why the stage failed
   */
  tryOut(
    target: Omit<OpenTarget<C>, 'settings'> & {
      settings: C extends { tried: infer T extends z.ZodObject } ? z.output<T> : z.output<C['settings']>;
    },
    about: { reach(stage: C['stages'][number]): void; hostKey(key: string): void },
  ): Promise<void>;
}
