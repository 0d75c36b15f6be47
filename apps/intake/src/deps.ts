import type { EngineDeps } from '@pdf2press/engine';
import type { Env } from '@pdf2press/engine/env';
import type { Database } from '@pdf2press/prisma';
import type { Logger } from 'pino';

export interface IntakeDeps {
  env: Env;
  db: Database;
  engine: EngineDeps;
  log: Logger;
}

/** One place that files come from, and the workflow they go to. Each kind of source makes its own list of these. */
export interface Inlet {
  /** Stable name; what a poller remembers is kept under it. */
  id: string;
  kind: string;
  subscriberId: string;
  workflowId: string;
  /** As the kind's schema reads them. */
  settings: Record<string, unknown>;
  /** Below which folders may lie. */
  root: string;
}
