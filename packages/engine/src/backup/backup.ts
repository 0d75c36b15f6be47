/* Exported as `@pdf2press/engine/backup`: database, files and key as a folder, by command and by schedule. */
export { includedFiles, keyName, type Manifest, placeOf, readBackup } from './manifest.ts';
export { runDueBackup, startScheduledBackups } from './scheduled.ts';
export { takeBackup } from './take-backup.ts';
