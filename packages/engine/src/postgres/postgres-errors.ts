import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A database error comes in many forms: an SQLSTATE of Postgres, a system code of the socket, a kind named by the driver or
 * its adapter, a number of Prisma, and one nested in another. A raw statement whose connection is reset has Prisma's number
 * for "a raw statement failed" and says only in its meta what happened. So every code in the error is compared exactly;
 * searching texts for a code would also match ids and hashes.
 */

/**
 * Codes that say that the server is restarting, not reachable or full, or that it rolled the work back in favour of other
 * transactions.
 */
const unansweredCodes: ReadonlySet<string> = new Set([
  // System: connection refused or broken, or the name does not resolve at the moment.
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN'],
  ...['ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ENOTCONN', 'ENOTFOUND', 'EAI_AGAIN'],
  // Prisma: unreachable, timed out, closed; no connection free, transaction expired or in conflict, too many connections.
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P1018', 'P2024', 'P2028', 'P2034', 'P2037'],
  // Prisma's adapter, where it gives no number.
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
  ...['TransactionAlreadyClosed', 'TransactionWriteConflict'],
  // Postgres: class 08 (connection), 53 (resources), 57P (operator), deadlock and serialization failures, time limits, and
  // a server that is read-only because another one takes over.
  ...['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  ...['53000', '53100', '53200', '53300', '57P01', '57P02', '57P03', '57P05'],
  ...['40001', '40003', '40P01', '25P03', '25P04', '25006'],
]);

/** Messages of pg and Prisma that come without a code. */
const unansweredWords = new RegExp(
  [
    'connection terminated|is not queryable|timeout exceeded when trying to connect|^timeout expired$|query read timeout',
    'server (has )?closed the connection|terminating connection|not( yet)? accepting connections',
    "the database system is (starting up|shutting down|in recovery mode)|Can't reach database server",
    'Unable to start a transaction|Transaction (already closed|not found)|too many (clients already|database connections)',
  ].join('|'),
  'i',
);

interface Said {
  codes: ReadonlySet<string>;
  messages: readonly string[];
}

/** All codes and messages of an error, of its causes and of its details. */
function saidBy(error: unknown): Said {
  const codes = new Set<string>();
  const messages: string[] = [];
  const listen = (at: unknown, depth: number) => {
    if (typeof at !== 'object' || at === null || depth > 6) return;
    const part = at as Readonly<Record<string, unknown>>;
    for (const code of [part.code, part.originalCode, part.kind]) if (typeof code === 'string') codes.add(code);
    for (const message of [part.message, part.originalMessage]) {
      if (typeof message !== 'string') continue;
      messages.push(message);
      const raw = /Code: `(\w+)`/.exec(message)?.[1];
      if (raw) codes.add(raw);
    }
    for (const inner of [part.cause, part.meta, part.driverAdapterError]) listen(inner, depth + 1);
    if (Array.isArray(part.errors)) for (const inner of part.errors) listen(inner, depth + 1);
  };
  listen(error, 0);
  return { codes, messages };
}

function isSaid(error: unknown, known: ReadonlySet<string>, words: RegExp): boolean {
  const { codes, messages } = saidBy(error);
  return [...codes].some((code) => known.has(code)) || messages.some((message) => words.test(message));
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100']);
const unstorableCodes = new Set(['22021', '22P05']);

/** Whether there was no room left on our disk or on that of Postgres; nothing is wrong with the request. */
export const isDiskFull = (error: unknown): boolean =>
  isSaid(error, fullCodes, /\b(ENOSPC|EDQUOT)\b|^storage\.full$|no space left on device/i);

/** Whether Postgres refused a text because of a character that it cannot store: U+0000, or half of a surrogate pair. */
export const isUnstorable = (error: unknown): boolean =>
  isSaid(error, unstorableCodes, /invalid byte sequence for encoding|unsupported Unicode escape sequence/);

/**
 * Whether an error leaves it unknown what became of the statement, so that it has to be repeated or the state read again.
 * This includes a full disk of Postgres.
 */
export const isUnanswered = (error: unknown): boolean => isSaid(error, unansweredCodes, unansweredWords);

/**
 * Repeats work until Postgres has answered it, with short pauses; other errors are thrown at once. `isRetry` tells the work
 * that an earlier try may have been committed without its answer arriving.
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
