/** Which part of another session's file a session was made from. */
export interface SessionPart {
  /** Name of the file that was divided. */
  fileName: string;
  /** Of a file that lay in a ZIP: its name there, with folders, as it can be shown. */
  entry?: string;
  /** Of pages of a PDF: the first and the last, from 1. */
  pages?: [number, number];
  /** Which of the parts it is, from 1, and of how many; sessions of earlier releases do not know it. */
  index?: number;
  count?: number;
}

/** Errors of a file that its sender saw before it was sent. */
export interface Acknowledged {
  /** 0 for a file that could not be read. */
  errors: number;
  warnings: number;
  at: string;
}

/** Who sent a file by mail and is told when it turns out to be unusable. */
export interface SenderOfFile {
  /** Names what came together. */
  key: string;
  to: string;
  /** What they ask by; part of the session's source. */
  reference: string;
  /** Language tags that the sender prefers, the best first. */
  languages: readonly string[];
  /** Of the message that the file came with. */
  messageId: string | null;
  /** Which of the files that came together it is, from 1. */
  no: number;
}

/** What is remembered of how a session's file came, beside its source. */
export interface Arrival {
  part?: SessionPart;
  /** The earlier session with the same bytes, where the workflow takes such files with a warning. */
  duplicateOf?: string;
  /** Earlier files were looked at for the same bytes. */
  isCompared?: true;
  /** The file's name did not fit the workflow's pattern of names. */
  hasOtherName?: true;
  /** Its sender was shown that it has errors, and sent it all the same. */
  acknowledged?: Acknowledged;
  /** Absent where nobody is to be told. */
  sender?: SenderOfFile;
}

/** A file that came beside another and holds values for its variables. */
export interface Sidecar {
  name: string;
  /** As it came; at most `maxSidecarBytes`. */
  text: string;
}
