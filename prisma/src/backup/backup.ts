/* Exported as `@pdf2press/prisma/backup`: a database as files, and an empty database filled from them. */

export { type Dump, dumpDatabase, readStored, type StoredBytes, stillStored } from './dump.ts';
export { demandLoadable, demandUnused, loadDatabase } from './load.ts';
export { BackupError, fingerprint, type Part, readPart } from './part.ts';
