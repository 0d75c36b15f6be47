/* What folders that are looked into have in common, wherever they lie. */
import { fits } from './name-patterns.ts';

/** Where settled files go, in the named folder. */
export const settledFolders = { accepted: 'processed', rejected: 'rejected' } as const;

/** Folders of a named one elsewhere that are looked into. */
export const mostFolders = 2_000;

/** Which files of a folder are let in, by patterns of their names. */
export interface NameRules {
  include: readonly string[];
  exclude: readonly string[];
}

/** Case is ignored, as on the Windows and macOS machines that files are copied from. */
export const isLetIn = (name: string, { include, exclude }: NameRules): boolean =>
  include.some((pattern) => fits(name, pattern)) && !exclude.some((pattern) => fits(name, pattern));

/** An empty file is often one whose copying has not begun yet. */
const emptyPatienceMs = 5 * 60_000;

/** The state of a file at an earlier poll. */
export interface Look {
  state: string;
  /** By the clock of the tools, when this state was first seen. */
  since: number;
}

/**
 * Whether nothing about a file has changed for long enough. The look is kept in `looks`.
 * @param key tells the files of a folder apart
 */
export function isStable(
  looks: { get: (key: string) => unknown; set: (key: string, look: Look) => unknown },
  { key, state, size }: { key: string; state: string; size: number },
  { stableSeconds, now }: { stableSeconds: number; now: number },
): boolean {
  const look = looks.get(key) as Look | undefined;
  if (look?.state !== state) looks.set(key, { state, since: now });
  const quietFor = look?.state === state ? now - look.since : 0;
  return quietFor >= (size === 0 ? emptyPatienceMs : stableSeconds * 1000);
}
