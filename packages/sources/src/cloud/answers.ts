import { SourceFaultError } from '@pdf2press/contract';

/** The HTTP status of an error of either client library; 0 for any other. */
export function statusOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const { status, statusCode } = error as Error & { status?: unknown; statusCode?: unknown };
  return Number(statusCode ?? status ?? 0);
}

/** The client libraries wrap errors of a request in their own; whoever asks is given the error itself. */
export function failureKeeper() {
  let failure: unknown;
  return {
    keep: async <T>(request: Promise<T>): Promise<T> => {
      try {
        return await request;
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    ask: async <T>(question: () => Promise<T>): Promise<T> => {
      failure = undefined;
      try {
        return await question();
      } catch (error) {
        throw failure ?? error;
      }
    },
  };
}

/**
 * The bytes of a download that was to begin at `from`.
 * @throws SourceFaultError `source.changed` when there is nothing from there on any more
 */
export async function bytesOf(response: Response, from: number): Promise<AsyncIterable<Uint8Array>> {
  const { status, body } = response;
  if (status === 404 || status === 410 || status === 416) {
    await body?.cancel();
    throw new SourceFaultError('source.changed');
  }
  const said = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  const begins = status === 206 ? Number(said ?? Number.NaN) : 0;
  if ((status !== 200 && status !== 206) || begins !== from) {
    await body?.cancel();
    throw new Error(`the service answers ${status} to a download from byte ${from}`);
  }
  // A web stream gives its pieces to a loop, which its type in the DOM does not say.
  return (body ?? new Blob([]).stream()) as unknown as AsyncIterable<Uint8Array>;
}
