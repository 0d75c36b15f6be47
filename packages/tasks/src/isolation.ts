/** The child processes of this process, as an operator sees them. */
import { type Gap, gapsOf, type IsolationLevel, isAtLeast, isolationLevel } from '@pdf2press/pdf/limited';

export { type ChildrenMemory, type IsolationLevel, readChildrenMemory } from '@pdf2press/pdf/limited';

/** How the child processes of this machine are isolated; shown in the log and by `/healthz/ready`. */
export interface IsolationState {
  level: IsolationLevel;
  /** What a child could still do if a file took it over; empty at the best level. */
  gaps: readonly Gap[];
  /** The least level with which this installation starts. */
  needed: IsolationLevel;
}

const openTo: Record<Gap, string> = {
  memory: 'take all memory and processor time',
  network: 'reach the network',
  processes: 'read the environment of the other processes, with the passwords in it',
  files: 'read the key of the installation and every stored file',
};

/** This system isolates children less than it was told to; its message is the one line that is printed at the start. */
export class IsolationError extends Error {
  override readonly name = 'IsolationError';
}

/**
 * Finds out how this system isolates the children that open PDFs.
 * @throws IsolationError where that is less than needed
 */
export function demandIsolation(needed: IsolationLevel, level: IsolationLevel = isolationLevel()): IsolationState {
  const gaps = gapsOf(level);
  if (isAtLeast(level, needed)) return { level, gaps, needed };
  const dangers = gaps.map((gap) => openTo[gap]).join('; ');
  throw new IsolationError(
    `PDF_ISOLATION is ${needed}, but this system isolates processes that open PDFs no better than ${level}: a hostile PDF could ${dangers}.`,
  );
}
