/* The door `@pdf2press/sources/contracts`: where files may come from. One line per kind. */
import { apiContract } from './api/contract.ts';
import { folderContract } from './folder/contract.ts';
import { uploadContract } from './upload/contract.ts';

export type { FoundItem, Poller, PollTools, SourceContract } from './source.ts';

export const sourceContracts = {
  upload: uploadContract,
  api: apiContract,
  folder: folderContract,
};
export type SourceKind = keyof typeof sourceContracts;
