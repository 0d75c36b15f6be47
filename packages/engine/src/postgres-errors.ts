import { setTimeout as sleep } from 'node:timers/promises';

/** What Prisma and pg say when the server is restarting, gone, or full, as opposed to refusing a statement. */
const unanswered =
  /P1001|P1002|P1008|P1017|P2024|P2028|P2034|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[123]|53[13]00|08\d{3}|40001|40P01|connection ?(is |was )?(closed|terminated|ended|lost)|DatabaseNotReachable|SocketTimeout|TooManyConnections|TransactionAlreadyClosed|not accepting connections|terminat(ed|ing) (unexpectedly|connection)|server closed the connection|not queryable|starting up|shutting down|recovery mode|Can't reach database|Unable to start a transaction|Transaction (already closed|not found)|timeout exceeded when trying to connect/i;

const isSaid = (error: unknown, words: RegExp): boolean => {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code, meta } = at as { code?: unknown; meta?: unknown };
    if (words.test(`${String(code ?? '')} ${at.message} ${meta ? JSON.stringify(meta) : ''}`)) return true;
  }
  return false;
};

/** Whether there was no room left, on our disk or on that of Postgres: nothing is wrong with what was asked for. */
export const isDiskFull = (error: unknown): boolean => isSaid(error, /ENOSPC|EDQUOT|53100|storage\.full/);

/** Whether Postgres refused a text for a character that it cannot keep: U+0000, or half of a surrogate pair. */
export const isUnstorable = (error: unknown): boolean =>
  isSaid(error, /22021|22P05|invalid byte sequence for encoding|unsupported Unicode escape sequence/);

/**
 * Whether an error says nothing about what became of the statement: it is asked again, or the state is read again. So it
 * is while the disk of Postgres is full.
 */
export const isUnanswered = (error: unknown): boolean => isSaid(error, unanswered);

/**
 * Repeats work until Postgres has answered it, with short pauses; other errors come out at once. The work is told when it
 * is a repeat: then an earlier try may have been committed without its answer arriving.
 */
export async function untilAnswered<T>(work: (isRetry: boolean) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await work(tries > 0);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      await sleep(Math.min(100 * 2 ** tries, 2_000), undefined, { signal });
    }
  }
}
