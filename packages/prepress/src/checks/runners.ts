/** Every check's runner by its name on the wire: a check without one does not compile. */
import type { CheckKey } from './contracts.ts';
import { documentIntegrityRunner } from './document-integrity/run.ts';
import { fileSizeRunner } from './file-size/run.ts';
import { fontsRunner } from './fonts/run.ts';
import { imageResolutionRunner } from './image-resolution/run.ts';
import { pageCountRunner } from './page-count/run.ts';
import { pageDimensionsRunner } from './page-dimensions/run.ts';
import type { AnyRunner } from './runner.ts';

const runners: { readonly [K in CheckKey]: AnyRunner<K> } = {
  DocumentIntegrity: documentIntegrityRunner,
  FileSize: fileSizeRunner,
  ImageResolution: imageResolutionRunner,
  PageDimentions: pageDimensionsRunner,
  PageCount: pageCountRunner,
  Fonts: fontsRunner,
};

/** The frame hands each runner the settings of its own check, which the table above ties together. */
export const runnerOf = (key: CheckKey): AnyRunner<CheckKey> => runners[key] as unknown as AnyRunner<CheckKey>;
