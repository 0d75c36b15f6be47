/* What the poller, the folder picker and the test of a connection ask of a cloud service, whichever it is. */

/** A drive of the account, a shared drive, or a library. */
export interface CloudDrive {
  /** Empty = the account's own. */
  id: string;
  /** Empty for the account's own, which has no name of its own. */
  name: string;
  /** The folder that holds everything else. */
  rootId: string;
}

export interface CloudPlace {
  driveId: string;
  folderId: string;
}

/** A file or folder as the service lists it. */
export interface CloudEntry {
  id: string;
  driveId: string;
  parentId: string;
  name: string;
  /** `other`: nothing that can be downloaded as it is, for instance a document of an online editor. */
  kind: 'file' | 'folder' | 'other';
  /** Changes whenever the content does. */
  revision: string;
  size: number;
  modifiedAt: Date;
  /** In hexadecimal digits, where the service tells it. */
  md5?: string | undefined;
}

/** One page of an answer; `next` asks for the one after it. */
export interface CloudPage<T> {
  rows: readonly T[];
  next: string | undefined;
}

/** What is told of something that was changed. */
export interface CloudChange {
  id: string;
  /** The folder that it lies in now, where it is told. */
  parentId: string | undefined;
}

/** A page of changes; the last one has the cursor of the next question. */
export interface CloudChanges extends CloudPage<CloudChange> {
  cursor: string | undefined;
}

/**
 * A signed-in account. Every promise may reject with SourceFaultError `source.signInNeeded`, `source.denied`,
 * `source.busy`, `source.unreachable` and those of the guarded fetch.
 */
export interface CloudClient {
  /** Who is signed in: an address where the service tells it. */
  account(): Promise<string>;
  drives(): Promise<CloudDrive[]>;
  /** What lies directly in a folder. */
  children(place: CloudPlace, page?: string): Promise<CloudPage<CloudEntry>>;
  /** Undefined = it is gone, or lies in the bin. */
  find(driveId: string, id: string): Promise<CloudEntry | undefined>;
  /** The cursor of what changes from now on. */
  newCursor(driveId: string): Promise<string>;
  /** Undefined = the service no longer knows the cursor. */
  changes(driveId: string, cursor: string): Promise<CloudChanges | undefined>;
  /** The bytes from a place on. @throws SourceFaultError `source.changed` when there is nothing from there on any more */
  read(file: CloudEntry, from: number): Promise<AsyncIterable<Uint8Array>>;
  move(file: CloudEntry, folderId: string): Promise<void>;
  /** Puts it into the service's bin. */
  remove(file: CloudEntry): Promise<void>;
  makeFolder(place: CloudPlace, name: string): Promise<string>;
  /** What a folder has under a name; undefined = nothing. Where several have it: one of them. */
  named(place: CloudPlace, name: string): Promise<CloudEntry | undefined>;
  /** Stores a file under a name that nothing in the folder has. It is there when it is whole. */
  upload(place: CloudPlace, file: NewCloudFile): Promise<CloudEntry>;
  /** Gives a file another name; false = something in the folder has it, where names must differ. */
  rename(file: CloudEntry, name: string): Promise<boolean>;
}

/** A file that is to be stored. */
export interface NewCloudFile {
  name: string;
  /** Bytes. */
  size: number;
  mediaType: string;
  bytes: AsyncIterable<Uint8Array>;
}
