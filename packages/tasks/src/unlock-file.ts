/**
 * The door `@pdf2press/tasks/unlock`: the API starts this task itself, because a password that a person types must reach the
 * file without being stored on the way. Nothing that opens a PDF is imported: the child process opens it.
 */
import type { Limits } from '@pdf2press/pdf/limited';
import { type Alone, runAlone } from './run-alone.ts';

/** The copy is as large as the file; a person waits for it. */
export const unlockLimits: Partial<Limits> = { wallMs: 55_000, fileBytes: 2 ** 31, workDirBytes: 2 ** 32 };

export interface Unlocking extends Alone {
  /** Absolute path of the encrypted PDF. */
  path: string;
  password: string;
  /** Absolute path of the copy without encryption, below `workDir`. */
  out: string;
}

/**
 * Writes a copy of a PDF without encryption, in a child process with limits. The password is handed over by its standard
 * input: it is in no command line, no environment and no file.
 * @throws FileFaultError PDF_ENCRYPTED {isPasswordWrong} when the password does not open it; other codes as `runTask`
 */
export async function unlockFile({ path, password, out, ...alone }: Unlocking): Promise<void> {
  await runAlone('unlock', { path, password, out }, unlockLimits, alone);
}
