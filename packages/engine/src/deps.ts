import type { Database } from '@pdf2press/prisma';
import type { Storage } from '@pdf2press/storage';

/** The first argument of every function of the engine; built once per process. */
export interface EngineDeps {
  database: Database;
  storage: Storage;
  /** What the installation is called and where people find it, for texts; without it these names have no value. */
  app?: { title: string; baseUrl: string };
  /** The release that runs; without it nobody is told of newer ones. */
  version?: string;
  /** Log line for the operator of the machine; never shown to users. */
  log?: (line: EngineLog) => void;
}

export interface EngineLog {
  level: 'info' | 'warn' | 'error';
  /** Stable name of the event. */
  event: string;
  data?: Record<string, unknown>;
  error?: unknown;
}

/** Who caused something, as recorded in history. */
export interface Actor {
  kind: 'system' | 'user' | 'customer' | 'apiKey' | 'embed';
  id?: string;
  name: string;
}
export const system: Actor = { kind: 'system', name: '' };
