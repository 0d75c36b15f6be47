/**
 * The door `@pdf2press/tasks/font`: the API starts this task itself, because a person waits for their upload. Nothing that
 * opens a font is imported: the child process opens it.
 */
import type { Limits } from '@pdf2press/pdf/limited';
import type { FontParams, FontResult } from './font.ts';
import { type Alone, runAlone } from './run-alone.ts';

export const fontLimits: Partial<Limits> = {
  wallMs: 20_000,
  cpuSeconds: 20,
  fileBytes: 2 ** 20,
  workDirBytes: 2 ** 20,
};

/** What a font says of itself, read in a child process with limits. @throws FileFaultError as the task `font`, and as `runTask` */
export const factsOfFontFile = ({ path, ...alone }: FontParams & Alone): Promise<FontResult> =>
  runAlone('font', { path }, fontLimits, alone);
