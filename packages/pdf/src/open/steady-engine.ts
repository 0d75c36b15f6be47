import type { DiskFile } from './disk-file.ts';
import { type Engine, guarded, openEngine } from './engine.ts';

/**
 * A MuPDF document that is opened on first use and gives the same answers in any order of reading. When MuPDF reads one
 * broken object it rebuilds its whole cross-reference table, which can lose other objects that were readable. The
 * content of a file would then depend on what was read first. Therefore the broken object is taken from the rebuilt
 * table, and everything else is read with a newly opened document.
 */
export interface SteadyEngine {
  readonly current: () => Engine;
  /** Reads with the current document; `num` is the number of the object that is read. */
  readonly read: (num: number, work: (engine: Engine) => void) => void;
  /** True for objects whose reading made MuPDF rebuild its table: callers keep the value and do not ask again. */
  readonly isBroken: (num: number) => boolean;
  /** From now on the document is never reopened, because it contains changes. */
  readonly settle: () => void;
  /** Whether MuPDF had to repair what it has opened; null before it has opened anything. */
  readonly repairSoFar: () => boolean | null;
  /** Opens the document if necessary. */
  readonly wasRepaired: () => boolean;
  readonly close: () => void;
}

/** With more broken objects than this, the table as a whole is wrong and the rebuilt one is kept. */
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
    repairSoFar: () => engine && wasRepaired,
    wasRepaired() {
      current();
      return wasRepaired;
    },
    close() {
      for (const each of opened) each.destroy();
    },
  };
}
