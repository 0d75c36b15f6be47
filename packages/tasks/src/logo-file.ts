/**
 * The door `@pdf2press/tasks/logo`: the API starts this task itself, because a person waits for their logo. Nothing that
 * opens a picture is imported: the child process opens it.
 */
import type { Limits } from '@pdf2press/pdf/limited';
import type { LogoParams, LogoResult } from './logo.ts';
import { type Alone, runAlone } from './run-alone.ts';

export const logoLimits: Partial<Limits> = {
  wallMs: 20_000,
  cpuSeconds: 20,
  fileBytes: 2 ** 25,
  workDirBytes: 2 ** 26,
};

/** Draws a logo anew, in a child process with limits. @throws FileFaultError as the task `logo`, and as `runTask` */
export const drawLogoOf = ({ path, out, side, ...alone }: LogoParams & Alone): Promise<LogoResult> =>
  runAlone('logo', { path, out, side }, logoLimits, alone);
