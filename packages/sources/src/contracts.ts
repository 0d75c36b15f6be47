/* Exported as `@pdf2press/sources/contracts`: the kinds of source. One import and one line per kind. */
import { apiContract } from './api/contract.ts';
import { cloudContract } from './cloud/contract.ts';
import { emailContract } from './email/contract.ts';
import { folderContract } from './folder/contract.ts';
import { sftpContract } from './sftp/contract.ts';
import { uploadContract } from './upload/contract.ts';

export { type CloudSettings, cloudFolderSchema, cloudSettingsSchema } from './cloud/contract.ts';
export {
  type MailboxServer,
  type MailboxSettings,
  mailboxGrantSchema,
  mailboxServerSchema,
  mailboxSettingsSchema,
} from './email/contract.ts';
export {
  type FillingSettings,
  newlyUnfilledVariables,
  type UnfilledVariable,
  unfilledVariables,
} from './email/filled-variables.ts';
export { sftpServerSchema, type TriedSftpServer, triedSftpServerSchema } from './sftp/contract.ts';
export type {
  CloudApps,
  ConnectionContract,
  GuardedFetch,
  SourceAnswer,
  SourceContract,
  SourceItem,
  SourceRunner,
  SourceTools,
} from './source.ts';
export { sourceContract } from './source.ts';

export const sourceContracts = {
  upload: uploadContract,
  api: apiContract,
  folder: folderContract,
  sftp: sftpContract,
  email: emailContract,
  cloud: cloudContract,
};
export type SourceKind = keyof typeof sourceContracts;
