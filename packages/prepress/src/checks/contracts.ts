/** Every check by its name on the wire. The order is the editor's and the default profile's. */
import type { z } from 'zod';
import { documentIntegrity } from './document-integrity/contract.ts';
import { fileSize } from './file-size/contract.ts';
import { fonts } from './fonts/contract.ts';
import { imageResolution } from './image-resolution/contract.ts';
import { pageCount } from './page-count/contract.ts';
import { pageDimensions } from './page-dimensions/contract.ts';

export const checkContracts = {
  DocumentIntegrity: documentIntegrity,
  FileSize: fileSize,
  ImageResolution: imageResolution,
  PageDimentions: pageDimensions,
  PageCount: pageCount,
  Fonts: fonts,
} as const;

export type CheckKey = keyof typeof checkContracts;
export const checkKeys = Object.keys(checkContracts) as CheckKey[];
export type ContractOf<K extends CheckKey> = (typeof checkContracts)[K];
export type SettingsOf<K extends CheckKey> = z.output<ContractOf<K>['settings']>;
export type RuleOf<K extends CheckKey> = keyof ContractOf<K>['rules'] & string;
