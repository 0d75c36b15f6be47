import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import * as background from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { type ConnectionParts, connectionParts } from './connection.ts';

const internalCharOid = 18;

/**
 * adapter-pg 7.10 has no mapping for the catalog type "char", which the schema engine's introspection reads. Such a query
 * is asked again with these columns as text, and the answer says which type they have.
 */
async function readWithChars(connection: PgConnection, query: SqlQuery): Promise<SqlResultSet> {
  const pool = connection.underlyingDriver();
  const { fields } = await pool.query({ text: query.sql, values: query.args, rowMode: 'array' });
  const columns = fields.map(({ name, dataTypeID }) => {
    const column = pg.escapeIdentifier(name);
    return dataTypeID === internalCharOid ? `${column}::text` : column;
  });
  const inner = query.sql.replace(/;\s*$/, '');
  const sql = `select ${columns.join(', ')} from (${inner}\n) as answer`;
  const result = await connection.queryRaw({ ...query, sql });
  const columnTypes = result.columnTypes.map((type, index) =>
    fields[index]?.dataTypeID === internalCharOid ? ColumnTypeEnum.Character : type,
  );
  return { ...result, columnNames: fields.map(({ name }) => name), columnTypes };
}

const isCharUnsupported = (error: unknown): boolean =>
  isDriverAdapterError(error) && error.cause.kind === 'UnsupportedNativeDataType' && error.cause.type === 'char';

type PgConnection = Awaited<ReturnType<PrismaPg['connect']>>;

/** A connection of adapter-pg with workarounds for two of its faults. */
function migrationConnection(connection: PgConnection, dispose = () => connection.dispose()): SqlDriverAdapter {
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: async (query) => {
      try {
        return await connection.queryRaw(query);
      } catch (error) {
        if (!isCharUnsupported(error)) throw error;
        return readWithChars(connection, query);
      }
    },
    executeRaw: (query) => connection.executeRaw(query),
    // adapter-pg cuts scripts at every semicolon, also inside comments and function bodies. Sent whole, a script is
    // understood by Postgres and runs as one transaction.
    executeScript: async (script) => {
      await connection.underlyingDriver().query(script);
    },
    startTransaction: (level) => connection.startTransaction(level),
    getConnectionInfo: () => connection.getConnectionInfo(),
    dispose,
  };
}

/** Connections for the schema engine. It never closes them, which would keep its migration lock: `closeAll` closes them. */
function createConnections(parts: ConnectionParts): SqlMigrationAwareDriverAdapterFactory & {
  closeAll(): Promise<void>;
} {
  const factory = new PrismaPg(parts);
  const open: PgConnection[] = [];
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const connection = await factory.connect();
      open.push(connection);
      return migrationConnection(connection);
    },
    // adapter-pg drops the shadow database before it closes its own pool, which Postgres refuses.
    connectToShadowDb: async () => {
      const database = `prisma_migrate_shadow_db_${randomUUID()}`;
      const admin = new pg.Client(parts);
      await admin.connect();
      await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
      const connection = await new PrismaPg({ ...parts, database }).connect();
      return migrationConnection(connection, async () => {
        await connection.dispose();
        await admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
        await admin.end();
      });
    },
    closeAll: async () => {
      await Promise.all(open.splice(0).map((connection) => connection.dispose()));
    },
  };
}

/** Called by the engine when it panics; without it the WASM module fails to load. */
const panics = globalThis as { PRISMA_WASM_PANIC_REGISTRY?: { message: string; set_message(text: string): void } };

/** The part of WebAssembly that is used here; its types belong to those of the browser, which this package does not include. */
const wasm = (
  globalThis as unknown as {
    WebAssembly: { instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }> };
  }
).WebAssembly;

let loaded: Promise<void> | undefined;

/** The WASM module is one per process: instantiating it twice leaves the first engine without memory. */
function load(): Promise<void> {
  loaded ??= (async () => {
    panics.PRISMA_WASM_PANIC_REGISTRY ??= {
      message: '',
      set_message(text) {
        this.message = text;
      },
    };
    const folder = path.dirname(fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm')));
    const { instance } = await wasm.instantiate(readFileSync(path.join(folder, 'schema_engine_bg.wasm')), {
      './schema_engine_bg.js': background,
    });
    // Its types leave this function out.
    (background as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(instance.exports);
    (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  })();
  return loaded;
}

type SchemaEngine = Awaited<ReturnType<typeof background.SchemaEngine.new>>;

/**
 * Runs work with Prisma's own schema engine as WASM, over adapter-pg: no binary, no download. For development and tests:
 * production applies migrations without it (`migrate.ts`).
 */
export async function withSchemaEngine<T>(
  url: string,
  schema: { path: string; content: string }[],
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await load();
  const connections = createConnections(connectionParts(url));
  const datamodels = schema.map((file): [string, string] => [file.path, file.content]);
  const engine = await background.SchemaEngine.new(
    { datamodels },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(connections),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await connections.closeAll();
  }
}
