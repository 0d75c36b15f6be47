import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract/faults';

/** What a child's work gets beside its request. */
export interface ChildTools {
  progress: (progress: unknown) => void;
}

/** Answers go out on the descriptor after the standard three. */
const answerDescriptor = 3;

/**
 * The child's side of `runLimited`: reads the request, does the work, answers on fd 3 and ends the process.
 * Faults travel as code and parameters; anything else thrown is a crash with its message on standard error.
 */
export async function serveLimited(work: (request: unknown, tools: ChildTools) => Promise<unknown>): Promise<never> {
  dieBeforeParent();
  const request: unknown = JSON.parse(readFileSync(0, 'utf8'));
  try {
    const result = await work(request, { progress: (progress) => send({ progress }) });
    send({ result });
    process.exit(0);
  } catch (error) {
    const fault = faultOf(error);
    if (fault) {
      send({ error: { code: fault.code, params: fault.params } });
      process.exit(0);
    }
    process.stderr.write(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  }
}

/** The out-of-memory killer takes this process before its parent. */
function dieBeforeParent(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Not Linux, or a namespace that forbids it: RLIMIT_DATA still holds.
  }
}

function faultOf(error: unknown): FileFaultError | null {
  if (error instanceof FileFaultError) return error;
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EFBIG') return new FileFaultError('PDF_LIMIT_OUTPUT');
  // The machine's trouble, not the file's.
  if (code === 'ENOSPC' || code === 'EDQUOT') return new FileFaultError('STORAGE_FULL');
  // A WASM heap or a buffer that could not grow under RLIMIT_DATA.
  if (/(malloc|calloc|realloc).*failed|Array buffer allocation failed|out of memory/i.test(error.message)) {
    return new FileFaultError('PDF_MEMORY');
  }
  return null;
}

/** Numbers JSON has no word for become null rather than an invalid answer. */
function send(message: unknown): void {
  let bytes: Uint8Array = Buffer.from(`${JSON.stringify(message)}\n`, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(answerDescriptor, bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      // The pipe is full and the parent is busy: wait a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
