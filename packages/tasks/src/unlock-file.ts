/**
 * The door `@pdf2press/tasks/unlock`: the one task that the API starts itself, because a password that a person types must
 * reach the file without being stored on the way. Nothing that opens a PDF is imported: the child process opens it.
 */
import { defaultLimits, type Limits, runLimited } from '@pdf2press/pdf/limited';
import { childEntry } from './child-entry.ts';

/** The copy is as large as the file; a person waits for it. */
export const unlockLimits: Partial<Limits> = { wallMs: 55_000, fileBytes: 2 ** 31, workDirBytes: 2 ** 32 };

export interface Unlocking {
  /** Absolute path of the encrypted PDF. */
  path: string;
  password: string;
  /** Absolute path of the copy without encryption, below `workDir`. */
  out: string;
  /** Existing directory; the caller removes it. */
  workDir: string;
  signal?: AbortSignal;
  /** Multiplies the time limits, for slow machines. */
  timeFactor?: number;
}

/**
 * Writes a copy of a PDF without encryption, in a child process with limits. The password is handed over by its standard
 * input: it is in no command line, no environment and no file.
 * @throws FileFaultError PDF_ENCRYPTED {isPasswordWrong} when the password does not open it; other codes as `runTask`
 */
export async function unlockFile({ workDir, signal, timeFactor = 1, ...params }: Unlocking): Promise<void> {
  const { wallMs, cpuSeconds, ...limits } = { ...defaultLimits, ...unlockLimits };
  await runLimited({
    entry: childEntry(),
    request: { task: 'unlock', params },
    workDir,
    isUrgent: true,
    limits: { ...limits, wallMs: wallMs * timeFactor, cpuSeconds: Math.ceil(cpuSeconds * timeFactor) },
    ...(signal && { signal }),
  });
}
