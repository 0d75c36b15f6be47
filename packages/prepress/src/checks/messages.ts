/** What every check says, in every language. */
import type { MessageFiles } from '@pdf2press/contract';
import type { CheckKey } from './contracts.ts';
import { messages as documentIntegrity } from './document-integrity/messages.ts';
import { messages as fileSize } from './file-size/messages.ts';
import { messages as fonts } from './fonts/messages.ts';
import { messages as imageResolution } from './image-resolution/messages.ts';
import { messages as pageCount } from './page-count/messages.ts';
import { messages as pageDimensions } from './page-dimensions/messages.ts';

export { messages as frameMessages } from '../preflight/messages.ts';

export const checkMessages: { readonly [K in CheckKey]: MessageFiles } = {
  DocumentIntegrity: documentIntegrity,
  FileSize: fileSize,
  ImageResolution: imageResolution,
  PageDimentions: pageDimensions,
  PageCount: pageCount,
  Fonts: fonts,
};
