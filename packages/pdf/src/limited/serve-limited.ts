import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract/faults';

/** Given to the work of a child in addition to its request. */
export interface ChildTools {
  progress: (progress: unknown) => void;
  /** Tells a result that stands when what is left to do fails, however it fails. */
  keep: (result: unknown) => void;
}

/** File descriptor of the answers: the first one after standard input, output and error. */
const answerDescriptor = 3;

/**
 * The child's side of `runLimited`: reads the request, does the work, writes the result to file descriptor 3 and ends
 * the process. A FileFaultError is passed on as code and parameters; any other error is a crash with a message on
 * standard error.
 */
export async function serveLimited(work: (request: unknown, tools: ChildTools) => Promise<unknown>): Promise<never> {
  send({ begun: true });
  dieBeforeParent();
  const request: unknown = JSON.parse(readFileSync(0, 'utf8'));
  try {
    const result = await work(request, {
      progress: (progress) => send({ progress }),
      keep: (kept) => send({ kept, peakBytes: peakBytes() }),
    });
    send({ result, peakBytes: peakBytes() });
    process.exit(0);
  } catch (error) {
    const fault = faultOf(error);
    if (fault) {
      send({ error: { code: fault.code, params: fault.params }, peakBytes: peakBytes() });
      process.exit(0);
    }
    process.stderr.write(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  }
}

const peakBytes = (): number => process.resourceUsage().maxRSS * 1024;

/** Makes the out-of-memory killer prefer this process to its parent. */
function dieBeforeParent(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Not Linux, or not allowed in this namespace. RLIMIT_DATA applies nevertheless.
  }
}

function faultOf(error: unknown): FileFaultError | null {
  if (error instanceof FileFaultError) return error;
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EFBIG') return new FileFaultError('PDF_LIMIT_OUTPUT');
  // A problem of the machine, not of the file.
  if (code === 'ENOSPC' || code === 'EDQUOT') return new FileFaultError('STORAGE_FULL');
  // A WebAssembly heap or a buffer could not grow because of RLIMIT_DATA.
  if (
    /(malloc|calloc|realloc).*failed|Array buffer allocation failed|failed to allocate memory|out of memory/i.test(
      error.message,
    )
  ) {
    return new FileFaultError('PDF_MEMORY');
  }
  return null;
}

/** Writes a message as one line of JSON. NaN and Infinity become null. */
function send(message: unknown): void {
  let bytes: Uint8Array = Buffer.from(`${JSON.stringify(message)}\n`, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(answerDescriptor, bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      // The pipe is full; wait until the parent has read some of it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
