import type { Database } from '@pdf2press/prisma';
import type { Storage } from '@pdf2press/storage';

/** What every function of the engine is given first; built once per process. */
export interface EngineDeps {
  database: Database;
  storage: Storage;
  /** One line for the operator of the machine; never shown to users. */
  log?: (line: EngineLog) => void;
}

export interface EngineLog {
  level: 'info' | 'warn' | 'error';
  /** Stable name of what happened. */
  event: string;
  data?: Record<string, unknown>;
  error?: unknown;
}

/** Who caused something, as written into history. */
export interface Actor {
  kind: 'system' | 'user' | 'customer' | 'apiKey' | 'embed';
  id?: string;
  name: string;
}
export const system: Actor = { kind: 'system', name: '' };
