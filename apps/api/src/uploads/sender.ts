import type { Prisma, Transaction } from '@pdf2press/prisma';
import type { Owner, UploadRow } from './upload-rows.ts';

/** What is known of a file before its first byte. */
export interface Beginning {
  fileName: string;
  /** Bytes. */
  size: number;
  /** The tus metadata that came with it. */
  metadata: ReadonlyMap<string, string>;
}

/** What the row of an upload remembers of its beginning. */
export interface Admission {
  workflowId: string | null;
  organizationId: string | null;
  metadata: Prisma.InputJsonObject;
}

/** Whoever sends bytes: an account, an API key, or a visit to an upload page. */
export interface Sender {
  subscriberId: string;
  /** Whose the uploads are. */
  principal: Owner;
  /** The mark of the address, of whoever uses an upload page. */
  from?: string;
  /** Where uploads of this sender are, below the API's base. */
  path: string;
  /** Of a file, in bytes. */
  maxBytes: number;
  run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Refuses, before the first byte, whatever would refuse the finished file. */
  admit: (tx: Transaction, beginning: Beginning) => Promise<Admission>;
  /** What complete bytes become: a session, whose id it answers; null where they wait for their sender. */
  complete: (upload: UploadRow) => Promise<string | null>;
}
