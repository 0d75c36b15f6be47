import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type SessionPriority,
  type StepKind,
  type WorkflowDefinition,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { createDatabase, type Database, newId } from '@pdf2press/prisma';
import { migratedDatabase } from '@pdf2press/prisma/testing';
import { openDiskStorage, type Storage } from '@pdf2press/storage';
import pg from 'pg';
import type { Actor, EngineDeps, EngineLog } from '../deps.ts';
import { receiveFile } from '../sessions/receive-file.ts';
import { brokenInvariants } from './invariants.ts';

/** An installation for tests: real Postgres and disk, subscribers, workflows whose middle steps do what a test says. */
export interface Lab {
  url: string;
  folder: string;
  deps: EngineDeps;
  sql: pg.Client;
  storage: Storage;
  logs: EngineLog[];
  subscriberId: string;
  workflowId: string;
  addSubscriber(): Promise<{ subscriberId: string; workflowId: string }>;
  /** Delivers a new small file; with a `key` the delivery can be repeated. */
  hand(options?: {
    key?: string;
    to?: { subscriberId: string; workflowId: string };
    priority?: SessionPriority;
  }): Promise<string>;
  status(sessionId: string): Promise<string>;
  /** Waits until no step is open; the time only bounds a hang. */
  settled(ms?: number): Promise<void>;
  /** The names of the invariants that do not hold. */
  broken(): Promise<string[]>;
  close(): Promise<void>;
}

export const tester: Actor = { kind: 'user', name: 'Tester' };

/** A workflow whose steps follow each other, each connected by its only outcome. */
export function chain(kinds: readonly StepKind[], settings: Record<number, Record<string, unknown>> = {}) {
  const id = (index: number) => `n${index}`;
  return workflowDefinitionSchema.parse({
    steps: kinds.map((kind, index) => ({ id: id(index), kind, settings: settings[index] ?? {} })),
    edges: kinds.slice(1).map((_, index) => ({ id: `e${index}`, from: id(index), outcome: 'done', to: id(index + 1) })),
  });
}

const standard = chain(['Inject', 'Preflight', 'Preflight', 'Complete']);

async function* once(bytes: Uint8Array) {
  yield bytes;
}

export async function openLab(
  server: { url: string },
  { definition = standard, profiles = {} }: { definition?: WorkflowDefinition; profiles?: object } = {},
): Promise<Lab> {
  const name = `lab_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client(server.url);
  await admin.connect();
  // As files, not page by page through the log, which takes three times as long.
  await admin.query(`create database ${name} template ${migratedDatabase} strategy file_copy`);
  await admin.end();
  const url = server.url.replace(/\/[^/]*$/, `/${name}`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-lab-'));
  const logs: EngineLog[] = [];
  const database: Database = createDatabase(url, { connections: 8, patience: 100_000 });
  const storage = openDiskStorage({ folder });
  const deps: EngineDeps = { database, storage, log: (line) => logs.push(line) };
  let sql = new pg.Client(url);
  sql.on('error', () => undefined);
  await sql.connect();

  const addSubscriber = async () => {
    const subscriberId = newId('subscriber');
    const workflowId = newId('workflow');
    await database.asHost((tx) => tx.subscriber.create({ data: { id: subscriberId, name: 'Print house' } }));
    await database.withSubscriber({ subscriberId }, async (tx) => {
      await tx.workflow.create({ data: { id: workflowId, name: 'Test', draft: {}, publishedNo: 1 } });
      await tx.workflowVersion.create({
        data: { id: newId('workflowVersion'), workflowId, no: 1, definition: definition as object, profiles, hash: '' },
      });
    });
    return { subscriberId, workflowId };
  };
  const home = await addSubscriber();

  /** Reconnects, because tests restart Postgres. */
  const query = async (text: string, values: unknown[] = []) => {
    try {
      return await sql.query(text, values);
    } catch {
      sql = new pg.Client(url);
      sql.on('error', () => undefined);
      await sql.connect();
      return sql.query(text, values);
    }
  };

  return {
    url,
    folder,
    deps,
    storage,
    logs,
    get sql() {
      return sql;
    },
    ...home,
    addSubscriber,
    hand: async ({ key, to = home, priority } = {}) => {
      const bytes = key ? createHash('sha256').update(key).digest() : randomBytes(64);
      const { sessionId } = await receiveFile(deps, {
        context: { subscriberId: to.subscriberId },
        workflowId: to.workflowId,
        source: 'ManualInjected',
        fileName: 'test.pdf',
        bytes: once(bytes),
        ingest: { kind: 'upload', ...(key && { key }) },
        ...(priority && { priority }),
        createdBy: tester,
      });
      return sessionId;
    },
    status: async (sessionId) =>
      (await query('select status::text from sessions where id = $1', [sessionId])).rows[0]?.status,
    settled: async (ms = 200_000) => {
      const end = Date.now() + ms;
      for (;;) {
        const { rows } = await query(`
          select count(*)::int as open from sessions
           where status in ('InQueue', 'Processing') and stop_requested_at is null`);
        if (rows[0]?.open === 0) return;
        if (Date.now() > end) throw new Error(`${rows[0]?.open} sessions are still open`);
        await sleep(50);
      }
    },
    broken: async () => {
      await query('select 1');
      return brokenInvariants(sql, path.join(folder, 'blobs'));
    },
    close: async () => {
      await database.close();
      await sql.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
