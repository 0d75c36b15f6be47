import type {
  CloudProvider,
  FeatureKey,
  MessageFiles,
  Problem,
  ProfileKind,
  SenderOfFile,
  SessionSource,
  Sidecar,
  WayIn,
  WorkflowVariable,
} from '@pdf2press/contract';
import type { z } from 'zod';

/** What a kind needs to sign in: a profile, and a secret that is stored encrypted. */
export interface ConnectionContract {
  /** Kind of the profile that `settings.connectionId` names. */
  profile: ProfileKind;
  /** The part in clear text: host, user name, folder. */
  settings: z.ZodType;
  /** The part that is stored encrypted: password, refresh token. */
  secret: z.ZodType;
}

/**
 * The declaration of a kind of source, used by the builder, the API and the engine; independent of how it runs and looks.
 */
export interface SourceContract {
  kind: string;
  /** Raised when `run` reads its settings or its cursor differently. */
  version: number;
  settings: z.ZodObject;
  /** Settings that identify the polled place; a change of any other keeps the cursor and what is known of the place. */
  placeSettings?: readonly string[];
  /** If present, `settings.connectionId` names a connection of this shape. */
  connection?: ConnectionContract;
  /** It finds files that it has refused once more when somebody asks for them. */
  findsRefused?: true;
  /** The connection names its workflow; workflows do not name the source. */
  isNamedByConnection?: true;
  /**
   * What a poll stores for the next one; a stored value that does not fit is dropped, and the poll starts from the
   * beginning.
   */
  cursor?: z.ZodType;
  /** Shown in the session as the source of its file. */
  sessionSource: SessionSource;
  /** The way in that its files take, where `sessionSource` alone does not tell it. */
  way?: WayIn;
  /** True = `intake` polls it; false = files are sent to the product. */
  isPolled: boolean;
  /** Somebody else's server: asked every `REMOTE_POLL_SECONDS`, a folder of the house every `HOT_FOLDER_POLL_SECONDS`. */
  isRemote?: boolean;
  /** A poll is aborted when one answer of the source (the next item, a chunk of a file) takes longer than this. */
  limitSeconds?: number;
  /** SVG path data of one stroked line drawing on a grid of 24 × 24, line width 1.8, round caps, as for steps. */
  icon: string;
  /** The group in the builder's list. */
  group: 'manual' | 'program' | 'folder' | 'mail' | 'cloud';
  /** The feature of the subscriber's plan that it needs. */
  feature?: FeatureKey;
  /** `label`, `help`, `settings.<name>`, `settings.<name>.<choice>`. */
  messages: MessageFiles;
}

/** Declares a kind and keeps its exact types. */
export const sourceContract = <const C extends SourceContract>(contract: C): C => contract;

/** The cursor type of a kind; none for a kind that declares none. */
export type CursorOf<C extends SourceContract> = C extends { cursor: infer Z extends z.ZodType }
  ? z.output<Z>
  : undefined;

/** Tells that a file which was asked for is not there any more. */
export const goneItem = (
  externalId: string,
  { name, sourceName }: { name: string; sourceName: string },
  code: 'mail.gone' | 'file.gone',
): SourceItem<never> => ({
  externalId,
  name,
  sourceName,
  refusal: { code },
  open: async function* () {
    // What is gone has no bytes.
  },
  settle: async () => undefined,
});

/** An answer to whoever sent files, once all that came together is taken or refused. */
export interface SourceAnswer extends SenderOfFile {
  /** So many items came together: for them, the same answer is given once. */
  count: number;
}

/** A message of this product that a mail server says it could not deliver to somebody. */
export interface SourceBounce {
  messageId: string;
  /** Names of the same recipient. */
  addresses: readonly string[];
  /** What the server says of it. */
  said: string;
  /** When the report came. */
  at: Date;
}

/** A file at a source. */
export interface SourceItem<Cursor = unknown> {
  /** Identifies this content at this place: the same id makes one session, however often and however late it is seen. */
  externalId: string;
  name: string;
  mediaType?: string;
  /** Bytes, where the source states the size before the download. */
  size?: number;
  modifiedAt?: Date;
  /** Shown as the session's source. */
  sourceName: string;
  variables?: Record<string, string>;
  /** The file beside it that holds values for its variables. @throws ProblemError `sidecar.tooLarge` */
  sidecar?(): Promise<Sidecar>;
  /** Why the source itself refuses it, for good; its bytes are not read then. */
  refusal?: Pick<Problem, 'code' | 'params'>;
  /** Who is told what becomes of it and of what came with it; absent where nobody is to be. */
  answer?: SourceAnswer;
  /** It is a report of messages that did not arrive; noted before it is settled. */
  bounces?: readonly SourceBounce[];
  /** The bytes. Called at most once, and not at all for a file that is known already. */
  open(): AsyncIterable<Uint8Array>;
  /** Where the next poll may start once this item and all before it are settled. */
  cursorAfter?: Cursor;
  /**
   * Handles the original after it was taken or refused for good. May be called again for the same item, in another process
   * and much later. `reason` is a sentence to store beside it.
   */
  settle(outcome: 'accepted' | 'rejected', reason?: string): Promise<void>;
}

/** One request to a web service; redirects are followed, and every address is checked first. */
export type GuardedFetch = (
  address: string,
  request: {
    method: string;
    headers: Headers | Readonly<Record<string, string>>;
    body?: string | Uint8Array<ArrayBuffer> | null;
    signal: AbortSignal;
  },
) => Promise<Response>;

/** What is needed to sign in at one cloud service: the installation is registered there as an application. */
export interface CloudApp {
  clientId: string;
  clientSecret: string;
  /** Where the service answers, if not at its usual addresses. */
  endpoint?: string | undefined;
}

export type CloudApps = Readonly<Partial<Record<CloudProvider, CloudApp>>>;

export interface SourceTools {
  /** Polled folders must be below this one. */
  root: string;
  /** Kept between the polls of one inlet in this process; may be lost at any time. */
  memory: Map<string, unknown>;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Whether the workflow reads values from files beside its own. */
  takesSidecars: boolean;
  /** The variables of the workflow that the files go to. */
  variables: readonly WorkflowVariable[];
  /**
   * The address to connect to for a server that a setting names.
   * @throws SourceFaultError `source.hostBlocked`, `source.hostUnknown`
   */
  addressOf: (server: { host: string; port: number; scheme: 'imap' | 'sftp' }) => Promise<string>;
  /** @throws SourceFaultError `source.hostBlocked`, `source.hostUnknown`, `source.tlsFailed`, `source.unreachable` */
  fetch: GuardedFetch;
  /** The cloud services that the installation is registered at. */
  cloudApps: CloudApps;
  /** Files of this kind that people asked for once more, of those whose id begins so: by their ids, with what they are called. */
  asked: (prefix: string) => Promise<ReadonlyMap<string, { name: string; sourceName: string }>>;
  /** Stores the secret of the connection in place of the one that this poll was given, unless it was replaced meanwhile. */
  renewSecret: (secret: unknown) => Promise<void>;
}

/** The input of one poll. */
export interface SourceInput<C extends SourceContract> {
  settings: z.output<C['settings']>;
  connection: C extends { connection: infer X extends ConnectionContract }
    ? { settings: z.output<X['settings']>; secret: z.output<X['secret']> }
    : undefined;
  /** As stored by an earlier poll; undefined = from the beginning. */
  cursor: CursorOf<C> | undefined;
  /** Aborted when the poll is over, for whatever reason. */
  signal: AbortSignal;
  tools: SourceTools;
}

/**
 * Polls a source once: yields the files that can be taken, in the order of the cursor. Returns the cursor after everything
 * it looked at.
 * @throws SourceFaultError why it cannot be polled; any other error is logged and shown as `source.failed`
 */
export type SourceRunner<C extends SourceContract> = (
  input: SourceInput<C>,
) => AsyncGenerator<SourceItem<CursorOf<C>>, CursorOf<C> | undefined, undefined>;

/**
 * Waits at a source until there is something new, for sources that tell it: after a poll that went well, with what that poll
 * kept in `tools.memory`. Resolves to false where the source tells nothing, or the waiting ended in another way.
 */
export type SourceWatcher<C extends SourceContract> = (input: Omit<SourceInput<C>, 'cursor'>) => Promise<boolean>;
