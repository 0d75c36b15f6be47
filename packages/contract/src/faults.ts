/**
 * What can be wrong with a file, or with the work on it. Exported separately, without imports, so that short-lived
 * processes load nothing else.
 */

/** The stable codes a failed step or a command line reports. */
export const fileFaults = [
  'PDF_NOT_PDF',
  'PDF_EMPTY',
  'PDF_DAMAGED',
  'PDF_ENCRYPTED',
  'PDF_TOO_LARGE',
  'PDF_NO_PAGES',
  'PDF_TIMEOUT',
  'PDF_MEMORY',
  'PDF_CRASH',
  'PDF_UNSUPPORTED',
  'PDF_LIMIT_PAGES',
  'PDF_LIMIT_OBJECTS',
  'PDF_LIMIT_NESTING',
  'PDF_LIMIT_EXPANSION',
  'PDF_LIMIT_XREF',
  'PDF_LIMIT_PAGE_SIZE',
  'PDF_LIMIT_PIXELS',
  'PDF_LIMIT_FONTS',
  'PDF_LIMIT_IMAGES',
  'PDF_LIMIT_OUTPUT',
  'FILE_NOT_FOUND',
  'FILE_TYPE_MISMATCH',
  'FONT_UNREADABLE',
  'ZIP_DAMAGED',
  'ZIP_ENCRYPTED',
  'ZIP_EMPTY',
  'ZIP_NESTED',
  'ZIP_LINK',
  'ZIP_TYPE',
  'ZIP_LIMIT_ENTRIES',
  'ZIP_LIMIT_BYTES',
  'ZIP_LIMIT_RATIO',
  'SPLIT_LIMIT',
  'MERGE_FILE',
  'MERGE_COVER',
  'SETTINGS_INVALID',
  'FIX_FAILED',
  'IMPOSE_REFUSED',
  'RENAME_NAME_TAKEN',
  'REROUTE_LIMIT',
  'REROUTE_LOOP',
  'REROUTE_REFUSED',
  'ACTION_BLOCKED',
  'ACTION_REFUSED',
  'ACTION_UNREACHABLE',
  'ACTION_ANSWER_TOO_LONG',
  'ACTION_ANSWER_LACKS',
  'ACTION_SECRET_GONE',
  'ACTION_ADDRESS_MISSING',
  'ACTION_ADDRESSES_TOO_MANY',
  'ACTION_COPIES_NO_NUMBER',
  'ACTION_MESSAGE_FAILED',
  'DELIVERY_FAILED',
  'WORKER_LOST',
  'STORAGE_UNAVAILABLE',
  'STORAGE_DAMAGED',
  'STORAGE_FULL',
  'INTERNAL',
] as const;
export type FileFault = (typeof fileFaults)[number];

const known: ReadonlySet<string> = new Set(fileFaults);
export const isFileFault = (code: unknown): code is FileFault => typeof code === 'string' && known.has(code);

export type ErrorParams = Record<string, string | number | boolean | null>;

/** A fault of a file, or of the work on it; thrown by the PDF packages and passed on through the child process. */
export class FileFaultError extends Error {
  readonly code: FileFault;
  readonly params: ErrorParams;
  constructor(code: FileFault, params: ErrorParams = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = 'FileFaultError';
    this.code = code;
    this.params = params;
  }
}
