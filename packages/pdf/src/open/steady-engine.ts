import type { DiskFile } from './disk-file.ts';
import { type Engine, guarded, openEngine } from './engine.ts';

/**
 * An engine that is opened when it is first needed, and does not change its mind. Reading one broken object makes the engine rebuild its whole table of
 * objects, which can lose others that were fine: what a file holds would then depend on what was read first. So the
 * broken object is taken as the rebuilt table gives it, and everything else goes on with a fresh engine.
 */
export interface SteadyEngine {
  readonly current: () => Engine;
  /** Reads with the current engine; `num` is the object concerned. */
  readonly read: (num: number, work: (engine: Engine) => void) => void;
  /** Objects that must not be asked for again: the answer was kept. */
  readonly isBroken: (num: number) => boolean;
  /** The engine holds changes now: it stays as it is, whatever breaks. */
  readonly settle: () => void;
  /** Opens it to find out. */
  readonly wasRepaired: () => boolean;
  readonly close: () => void;
}

/** With more broken objects than this the table as a whole is wrong, and the rebuilt one is the better. */
const maxFresh = 3;

export function createSteadyEngine(disk: DiskFile, hasHeader: boolean, unlock: (engine: Engine) => void): SteadyEngine {
  const open = (): Engine => {
    const engine = openEngine(disk, hasHeader);
    if (guarded(() => engine.needsPassword())) unlock(engine);
    return engine;
  };
  let engine: Engine | null = null;
  const opened: Engine[] = [];
  const broken = new Set<number>();
  let isSettled = false;
  let wasRepaired = false;
  const current = (): Engine => {
    if (!engine) {
      engine = open();
      opened.push(engine);
      wasRepaired = engine.wasRepaired();
      isSettled ||= wasRepaired;
    }
    return engine;
  };
  return {
    current,
    read(num, work) {
      const reading = current();
      work(reading);
      if (isSettled || !reading.wasRepaired()) return;
      wasRepaired = true;
      broken.add(num);
      if (broken.size > maxFresh) isSettled = true;
      else {
        engine = open();
        opened.push(engine);
      }
    },
    isBroken: (num) => broken.has(num),
    settle: () => {
      isSettled = true;
    },
    wasRepaired() {
      current();
      return wasRepaired;
    },
    close() {
      for (const each of opened) each.destroy();
    },
  };
}
