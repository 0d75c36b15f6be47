import type { FastifyBaseLogger } from 'fastify';

/** Work that an answer does not wait for, such as mail: the answer's time then tells nothing about it. */
export interface Background {
  run(name: string, work: () => Promise<unknown>): void;
  /** When all of it is done; at the end of the process and in tests. */
  idle(): Promise<void>;
}

export function createBackground(log: FastifyBaseLogger): Background {
  const open = new Set<Promise<unknown>>();
  return {
    run: (name, work) => {
      const promise: Promise<unknown> = work()
        .catch((error: unknown) => log.warn({ err: error }, `${name} failed`))
        .finally(() => open.delete(promise));
      open.add(promise);
    },
    idle: async () => {
      while (open.size > 0) await Promise.all(open);
    },
  };
}
