import { PrismaPg } from '@prisma/adapter-pg';
import { connectionParts } from './connection.ts';
import { type Prisma, PrismaClient } from './generated/client.ts';
import { guardTransaction } from './guard.ts';
import { openStatementNames } from './statement-names.ts';
import { openTurns } from './turns.ts';

/** The subscriber that everything in the transaction is read and written as. */
export interface SubscriberContext {
  subscriberId: string;
  userId?: string;
  /** Set: the person belongs to these organizations only and sees no session of another. */
  organizationIds?: readonly string[];
}

/** What the callback gets: models and tagged raw queries, without the functions that could leave the subscriber’s rows. */
export type Transaction = Omit<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>;

export interface TransactionOptions {
  /** Milliseconds until the transaction is aborted; default: three times the wait for a connection. */
  timeout?: number;
}

export interface Database {
  /**
   * One transaction as a subscriber. Filters and rows carry the subscriber (code), and the connection acts as
   * `pdf2press_app` under forced row-level security (database): each is sufficient alone. An error rolls everything back.
   */
  withSubscriber<T>(
    context: SubscriberContext,
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * One transaction as the host, over all subscribers: signing in before the subscriber is known, dispatching and
   * sweeping, making subscribers. Never used for rows that a person requests by id.
   */
  asHost<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections of this process; default 10. */
  connections?: number;
  /**
   * Milliseconds that a transaction waits for a connection while no other begins; default 5 000. While others do, it waits
   * six times as long.
   */
  patience?: number;
  /** Called when an idle connection breaks (Postgres restarted); the pool opens a new one. */
  onConnectionError?: (error: Error) => void;
  /** Whether the transactions of the calling code go on before most that wait; default none do. */
  isFirst?: () => boolean;
  /** The trace that the calling code runs in, kept with the sessions and effects that its transactions make. */
  trace?: () => string | undefined;
}

const defaultConnections = 10;
const defaultPatience = 5_000;

/** Opens the pool; connects on first use. */
export function openClient(
  url: string,
  { connections = defaultConnections, patience = defaultPatience, onConnectionError }: DatabaseOptions = {},
): PrismaClient {
  const report = (error: Error) => onConnectionError?.(error);
  const pool = { ...connectionParts(url), max: connections, connectionTimeoutMillis: patience, keepAlive: true };
  // Minimal: the long form prints the values of the call, secrets among them, into whatever logs the error.
  return new PrismaClient({
    errorFormat: 'minimal',
    transactionOptions: { maxWait: patience, timeout: 3 * patience },
    adapter: new PrismaPg(pool, {
      onPoolError: report,
      onConnectionError: report,
      statementNameGenerator: openStatementNames(),
    }),
  });
}

/** Begins a transaction in a role and runs the work in it; `isGuarded` false is for the test of the database's half alone. */
export function transact<T>(
  client: PrismaClient,
  context: SubscriberContext | undefined,
  work: (tx: Transaction) => Promise<T>,
  { timeout, isGuarded = true, trace }: TransactionOptions & { isGuarded?: boolean; trace?: string | undefined } = {},
): Promise<T> {
  const role = context ? 'pdf2press_app' : 'pdf2press_host';
  const organizations = context?.organizationIds ? context.organizationIds.join(',') || '-' : '';
  return client.$transaction(
    async (tx) => {
      // The time-out frees the rows of a process that was stopped in the middle (SIGSTOP, a frozen machine).
      await tx.$queryRaw`
        select set_config('role', ${role}, true),
               set_config('app.subscriber', ${context?.subscriberId ?? ''}, true),
               set_config('app.user', ${context?.userId ?? ''}, true),
               set_config('app.organizations', ${organizations}, true),
               set_config('app.trace', ${trace ?? ''}, true),
               set_config('idle_in_transaction_session_timeout', '20s', true)`;
      return work(isGuarded ? guardTransaction(tx, context?.subscriberId) : tx);
    },
    timeout === undefined ? {} : { timeout },
  );
}

/** The only place that creates a Prisma client. */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = defaultConnections, patience = defaultPatience } = options;
  const client = openClient(url, { ...options, connections, patience });
  const turns = openTurns({ places: connections, patience });
  const inTurn = <T>(
    context: SubscriberContext | undefined,
    work: (tx: Transaction) => Promise<T>,
    transaction: TransactionOptions = {},
  ): Promise<T> =>
    turns.take((begun) => {
      const begin = (tx: Transaction) => {
        begun();
        return work(tx);
      };
      return transact(client, context, begin, { ...transaction, trace: options.trace?.() });
    }, options.isFirst?.());
  return {
    withSubscriber: (context, work, transaction) => {
      if (!context.subscriberId) return Promise.reject(new TypeError('a subscriber is needed'));
      return inTurn(context, work, transaction);
    },
    asHost: (work, transaction) => inTurn(undefined, work, transaction),
    close: () => client.$disconnect(),
  };
}
