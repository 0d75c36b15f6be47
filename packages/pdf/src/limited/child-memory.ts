/** What the children of this process take of memory, for the operator. */
import { readFileSync } from 'node:fs';

export interface ChildrenMemory {
  /** What the children do, as their starter names it. */
  task: string;
  running: number;
  /** Bytes that they and the programs they started hold in memory now. */
  residentBytes: number;
  /** The most that one of them held within the last five minutes, as far as it was seen. */
  peakBytes: number;
  /** The most that one may take of private memory; that of the last one started. */
  limitBytes: number;
}

/** Kept as the highest of each minute, so that it takes no more room the more children there are. */
const keptMinutes = 5;

interface Kept {
  running: Set<Watched>;
  peaks: Map<number, number>;
  limitBytes: number;
}

export interface Watched {
  /** Notes what the child and its own children hold now. */
  look(): void;
  /** Notes what the child itself told of its peak. */
  note(bytes: number): void;
  end(): void;
}

const kept = new Map<string, Kept>();
const resident = new WeakMap<Watched, number>();
const minuteNow = (): number => Math.floor(performance.now() / 60_000);

/** A process and all below it. Empty where the system has no /proc, or once it has ended. */
function familyOf(pid: number): number[] {
  try {
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [pid, ...below.map(Number).flatMap(familyOf)];
  } catch {
    return [];
  }
}

const kibibytesOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0; // ended meanwhile
  }
};

const residentOf = (pid: number): number => familyOf(pid).reduce((sum, each) => sum + kibibytesOf(each) * 1024, 0);

/** Begins to watch a child. Call `look` now and then, and `end` when it has ended. */
export function watchMemory(pid: number | undefined, task: string, limitBytes: number): Watched {
  const place = kept.get(task) ?? { running: new Set(), peaks: new Map(), limitBytes };
  kept.set(task, place);
  place.limitBytes = limitBytes;
  const watched: Watched = {
    look: () => {
      const bytes = pid === undefined ? 0 : residentOf(pid);
      resident.set(watched, bytes);
      watched.note(bytes);
    },
    note: (bytes) => {
      const minute = minuteNow();
      place.peaks.set(minute, Math.max(place.peaks.get(minute) ?? 0, bytes));
      for (const past of place.peaks.keys()) if (past <= minute - keptMinutes) place.peaks.delete(past);
    },
    end: () => void place.running.delete(watched),
  };
  place.running.add(watched);
  return watched;
}

/** By task; tasks that this process has started once stay in the list. */
export function readChildrenMemory(): ChildrenMemory[] {
  const oldest = minuteNow() - keptMinutes;
  return [...kept].map(([task, { running, peaks, limitBytes }]) => {
    for (const watched of running) watched.look();
    const recent = [...peaks].filter(([minute]) => minute > oldest).map(([, bytes]) => bytes);
    return {
      task,
      running: running.size,
      residentBytes: [...running].reduce((sum, watched) => sum + (resident.get(watched) ?? 0), 0),
      peakBytes: Math.max(0, ...recent),
      limitBytes,
    };
  });
}
