import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as background from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { type ConnectionParts, connectionParts } from './connection.ts';

type Connection = Awaited<ReturnType<PrismaPg['connect']>>;

const internalCharOid = 18;
const textOid = 25;

/**
 * Two repairs of adapter-pg 7.10: it has no mapping for the catalog type "char", which the schema engine's introspection
 * returns, and it cuts scripts at every semicolon, also inside comments and function bodies. A script sent whole is
 * understood by Postgres and runs as one transaction.
 */
function repaired<T extends object>(connection: T): T {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const raw = connection as any;
  const performIO = raw.performIO.bind(raw);
  const queryRaw = raw.queryRaw.bind(raw);
  const columns = new WeakMap<object, number[]>();
  raw.performIO = async (query: object) => {
    const result = await performIO(query);
    const found: number[] = [];
    for (const [index, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== internalCharOid) continue;
      field.dataTypeID = textOid;
      found.push(index);
    }
    if (typeof query === 'object') columns.set(query, found);
    return result;
  };
  raw.queryRaw = async (query: object) => {
    const result = await queryRaw(query);
    for (const index of columns.get(query) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  raw.executeScript = async (script: string) => {
    await raw.client.query(script);
  };
  if (raw.startTransaction) {
    const start = raw.startTransaction.bind(raw);
    raw.startTransaction = async (level: unknown) => repaired(await start(level));
  }
  return connection;
}

class MigrationPg extends PrismaPg {
  readonly parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    super(parts);
    this.parts = parts;
  }

  readonly #open: Connection[] = [];

  override async connect(): Promise<Connection> {
    const connection = repaired(await super.connect());
    this.#open.push(connection);
    return connection;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((connection) => connection.dispose()));
  }

  /** adapter-pg drops the shadow database before it closes its own pool, which Postgres refuses. */
  override async connectToShadowDb(): Promise<Connection> {
    const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    const admin = new pg.Client(this.parts);
    await admin.connect();
    await admin.query(`CREATE DATABASE "${database}"`);
    const connection = repaired(await new PrismaPg({ ...this.parts, database }).connect());
    const dispose = connection.dispose.bind(connection);
    connection.dispose = async () => {
      await dispose();
      await admin.query(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      await admin.end();
    };
    return connection;
  }
}

/** What the engine calls when it panics; without it the WASM module throws on loading. */
const panics = globalThis as { PRISMA_WASM_PANIC_REGISTRY?: { message: string; set_message(text: string): void } };

/** The part of WebAssembly that is used here; its types come only with the browser's, which a server room does not take. */
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
    (background as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(instance.exports);
    (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  })();
  return loaded;
}

type SchemaEngine = Awaited<ReturnType<typeof background.SchemaEngine.new>>;

/**
 * Runs work with Prisma's own schema engine as WASM, over adapter-pg: no binary, no download. The engine never closes
 * its connections, and with them stays its lock on migrating; so they are closed here.
 */
export async function withSchemaEngine<T>(
  url: string,
  schema: { path: string; content: string }[],
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await load();
  const factory = new MigrationPg(connectionParts(url));
  const datamodels = schema.map((file): [string, string] => [file.path, file.content]);
  const engine = await background.SchemaEngine.new(
    { datamodels },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await factory.closeAll();
  }
}
